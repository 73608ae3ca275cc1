"""`cover` against code that harms its process, or the machine: it goes on, and what did the harm is named."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
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


@pytest.mark.parametrize("searcher", ["none", "covnew"])
def test_a_target_that_raises_what_ctrl_c_raises_is_not_taken_for_it(project, searcher) -> None:
    project.write("work.py", TARGET.replace("{body}", "raise KeyboardInterrupt"))
    result = project.untrod(
        "cover", "work.py", "--searcher", searcher, "--budget", "300", "--json", "--seed", "1"
    )
    assert result.status == 0, result.err
    assert not result.of("worker-lost")
    (finished,) = result.of("campaign-finished")
    assert finished["extra"]["covered"] >= 5
    assert (
        "pytest.raises(KeyboardInterrupt)" in (project.folder / "tests/untrod/test_work_cover.py").read_text()
    )


def test_what_ends_a_test_run_in_other_ways_ends_nothing(project):
    """An `__eq__` that raises what Ctrl-C raises, when the worker and when the test compare."""
    project.write(
        "rude.py",
        "from dataclasses import dataclass\n\n\n@dataclass\nclass Odd:\n    n: int\n\n"
        "    def __eq__(self, other):\n        raise KeyboardInterrupt\n\n\n"
        "def make(n: int) -> Odd:\n    if n > 3:\n        raise SystemExit(2)\n    return Odd(n)\n",
    )
    result = project.untrod("cover", "rude.py:make", "--searcher", "none", "--budget", "30", "--json")
    assert not result.of("worker-lost")
    (finished,) = result.of("campaign-finished")
    assert finished["extra"]["covered"] == 2
    assert "raises(SystemExit)" in (project.folder / "tests/untrod/test_rude_make_cover.py").read_text()


SLOW = """
import time

def work(n: int, text: str) -> int:
    time.sleep(0.05)
    if n > 1000:
        return 1
    if "b" in text:
        return 2
    if n == 123456789012 * 77:
        return 3
    return 4
"""


@pytest.mark.parametrize(
    ("moment", "budget"), [("of 6 branches", "600s"), ("making tests", "20"), ("trying out", "20")]
)
def test_the_first_ctrl_c_writes_the_tests_that_it_has_time_for(project, moment, budget):
    """While inputs are looked for, while the suite is made, while it is tried out. The rest is made later."""
    project.write("work.py", SLOW.replace("0.05", "0.3") if moment == "making tests" else SLOW)
    process = project.start("cover", "work.py", "--searcher", "none", "--budget", budget)
    try:
        assert any(moment in line for line in process.stderr), "it never came to that"
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does it: to all that belong to the command
        out, err = process.communicate(timeout=100)
    finally:
        process.kill()
    assert process.returncode == 0, err
    if "tests/untrod/test_work_cover.py" not in out:
        found = re.search(r"untrod campaigns resume (\S+)`", out)
        assert found, out
        resumed = project.untrod("campaigns", "resume", found[1], "--budget", "25")
        assert "tests/untrod/test_work_cover.py" in resumed.out, resumed.out + resumed.err
    test = project.folder / "tests/untrod/test_work_cover.py"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


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
