"""What can be told of other processes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from untrod.runtime import processes, supervisor

SPIN = """
import os, sys, time
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
print("ready", flush=True)
sys.stdin.readline()
while time.process_time() < 0.3:
    pass
print("done", flush=True)
sys.stdin.readline()
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/schedstat"), reason="this system does not tell")
def test_two_on_one_core_wait_for_one_another():
    pair = [
        subprocess.Popen(
            [sys.executable, "-c", SPIN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        for _ in range(2)
    ]
    try:
        for process in pair:
            assert process.stdout.readline() == "ready\n"
        before = [processes.queued(process.pid) for process in pair]
        for process in pair:
            process.stdin.write("go\n")
        for process in pair:
            assert process.stdout.readline() == "done\n"
        waited = [processes.queued(process.pid) - early for process, early in zip(pair, before, strict=True)]
        assert sum(waited) > 0.2  # while one spins for 0.3 s of CPU time, the other has no core
    finally:
        for process in pair:
            process.communicate("end\n")


def test_a_process_that_is_gone_waits_for_nothing():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    assert processes.queued(process.pid) == 0.0


def test_time_without_a_core_does_not_count_against_an_episode(project, monkeypatch):
    """All of its time: then even an episode that never ends is not stopped for taking too long."""
    seen = []

    class Judge:
        cause = ""

        def observe(self, sighting, now, cpu, *, busy):
            seen.append(now)
            return supervisor.Verdict.FINE

    monkeypatch.setattr(supervisor, "queued", lambda pid: 1000.0)
    monkeypatch.setattr(supervisor, "Deadlines", lambda limits: Judge())
    monkeypatch.setattr(supervisor.time, "monotonic", lambda: 1003.0)
    worker = supervisor.Supervisor(supervisor.Limits(), "marker-of-a-test", project.folder)
    try:
        worker.tick()
    finally:
        worker.kill()
    assert seen == [3.0]
