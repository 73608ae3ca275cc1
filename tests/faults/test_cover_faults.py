"""`cover` against code that harms its process, or the machine: it goes on, and what did the harm is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from untrod.engines.cover.engine import CoverConfig, CoverEngine
from untrod.runtime.limits import Limits, patience
from untrod.runtime.loading import TargetName
from untrod.runtime.pool import Pool, WorkerFailed

TARGET = """
import ctypes, os, sys, time

def work(n: int) -> str:
    if n % 4 == 1:
        {body}
    if n == 70007:
        return "never"
    if n > 3:
        return "large"
    return "small"
"""

BEHAVIOURS = {
    "segfaults": ("ctypes.string_at(0)", "crashed"),
    "exits at once": ("os._exit(3)", "exited"),
    "sleeps": ("time.sleep(60)", "timed-out"),
    "writes a file": ("open('/tmp/untrod-must-not-exist', 'w')", "refused"),
    "exits politely": ("sys.exit(3)", "exited"),
}


@pytest.mark.parametrize("name", BEHAVIOURS)
def test_the_campaign_goes_on(project, name):
    body, kind = BEHAVIOURS[name]
    project.write("work.py", TARGET.replace("{body}", body))
    result = project.untrod(
        "cover",
        "work.py",
        "--searcher",
        "none",
        "--budget",
        "12",
        "--timeout",
        "0.5",
        "--json",
        "--seed",
        "1",
    )
    assert result.status == 1, result.err
    assert kind in {event["finding"]["kind"] for event in result.of("finding")}
    (finished,) = result.of("campaign-finished")
    assert finished["extra"]["covered"] >= 3


def test_a_module_that_sleeps_when_it_is_imported_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "sleepy.py").write_text(
        "import time\ntime.sleep(3600)\n\n\ndef f(n: int) -> int:\n    return n\n"
    )
    engine = CoverEngine(CoverConfig(TargetName("sleepy", "", ".")), 1, tmp_path)
    pool = Pool(
        engine.job,
        [engine.spec(0)],
        limits=Limits(idle_wall=0.5),
        allow=frozenset(),
        project=tmp_path,
        scratch=tmp_path / "scratch",
    )
    with pytest.raises(WorkerFailed, match=r"while it opened the target: no episode ran for 0.5 s"):
        pool.start()


def test_a_short_campaign_does_not_wait_two_minutes_for_an_import() -> None:
    assert [patience(seconds) for seconds in (None, 5.0, 60.0, 3600.0)] == [120.0, 30.0, 60.0, 120.0]
