"""A pool whose process is killed leaves no worker behind, and no files: its warden removes them, or the next
pool does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from leftovers import alive

from untrod.runtime.limits import Limits
from untrod.runtime.pool import Pool

PARENT = """
import sys
from pathlib import Path
from untrod.runtime.limits import Limits
from untrod.runtime.pool import Pool

here, scratch, script, allow = sys.argv[1:5]
pool = Pool("hostile:HostileJob", [{"script": [script]}, {"script": ["fine"]}],
            limits=Limits(episode_wall=600), allow=frozenset(filter(None, [allow])),
            project=Path(here), scratch=Path(scratch))
pool.start()
pool.send(0, "run", {"episodes": 1, "seconds": 60.0})
if script != "busy":
    while not pool.wait(1.0):
        pass
print(pool.marker, flush=True)
pool.wait(3600)
"""


@pytest.mark.parametrize(("script", "allow"), [("busy", ""), ("fork_and_linger", "processes")])
def test_workers_die_with_a_killed_parent(tmp_path, script, allow):
    here, scratch = Path(__file__).parent, tmp_path / "scratch"
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(here), str(scratch), script, allow],
        stdout=subprocess.PIPE,
        text=True,
    )
    with parent:
        assert parent.stdout is not None
        marker = parent.stdout.readline().strip()
        assert len(alive(marker)) >= 2
        os.kill(parent.pid, signal.SIGKILL)
    assert _in_time(lambda: not alive(marker))

    with Pool("x:y", [], limits=Limits(), allow=frozenset(), project=here, scratch=scratch) as pool:
        pool.start()
        assert _in_time(lambda: len(list(scratch.iterdir())) == 1)
    assert list(scratch.iterdir()) == []


def test_the_next_pool_removes_what_no_warden_has_removed(tmp_path):
    scratch = tmp_path / "scratch"
    (scratch / "untrod-pool-lost" / "0").mkdir(parents=True)
    with Pool(
        "x:y", [], limits=Limits(), allow=frozenset(), project=Path(__file__).parent, scratch=scratch
    ) as pool:
        pool.start()
        assert len(list(scratch.iterdir())) == 1
    assert list(scratch.iterdir()) == []


def _in_time(holds: Callable[[], bool]) -> bool:
    """Within a minute: a warden has to get a core first."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if holds():
            return True
        os.sched_yield()
    return False
