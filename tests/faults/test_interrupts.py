"""Ctrl-C, in each phase of each verb: soon there is a report or the one line, and nothing is left behind.

A target tells where it is by opening a named pipe for reading: that returns when the test opens its other
end.
"""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from untrod.runtime.processes import TREE, in_tree

PROMISED = 2.0  # seconds
MODULE = """
import os, sys
HERE = {here!r}
calls = 0

def meet(name):
    "Wait at a pipe of this name for as long as somebody holds the other end."
    with open(os.path.join(HERE, name)) as pipe:
        pipe.read()

if {phase!r} == "import":
    meet("import")

def pick(choose):
    return [choose(range(5)) for _ in range(3)]

def check(items: list[int]) -> int:
    global calls
    calls += 1
    if {phase!r} == "try-out" and "PYTEST_CURRENT_TEST" in os.environ:
        meet("try-out")
    if {phase!r} in ("search", "delivery") and calls == 20:
        meet("search")
    if os.path.exists(HERE + "/deliver") and calls < 10:
        meet("delivery")
    assert sum(items) != 3
    return len(items)
"""
COMMANDS = {
    "inputs": ["inputs", "mod.py:pick", "--test", "check", "--budget"],
    "worst": ["worst", "mod.py:check", "--budget"],
    "cover": ["cover", "mod.py", "--budget"],
    "hunt": ["hunt", "mod.py", "--workers", "1", "--no-coverage", "--only", "cover", "--budget"],
}
PHASES = ("import", "search", "delivery", "try-out")


class Meeting:
    """A command that waits at one of its pipes."""

    def __init__(self, project, phase: str, words: list[str], pipes: tuple[str, ...] = PHASES) -> None:
        self.project, self.token = project, secrets.token_hex(8)
        for name in pipes:
            os.mkfifo(project.folder / name)
        project.write("mod.py", MODULE.format(here=str(project.folder), phase=phase))
        self.process = subprocess.Popen(
            project.command(*words),
            cwd=project.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, TREE: self.token},
        )

    def at(self, name: str) -> int:
        """Comes back when it is there; the descriptor holds it there."""
        while True:
            try:
                return os.open(self.project.folder / name, os.O_WRONLY | os.O_NONBLOCK)
            except OSError:  # nobody reads yet
                assert self.process.poll() is None, self.process.communicate()
                os.sched_yield()

    def reach(self, phase: str) -> int:
        if phase != "delivery":
            return self.at(phase)
        held = self.at("search")
        (self.project.folder / "deliver").touch()
        os.close(held)
        return self.at("delivery")

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def end(self) -> tuple[float, str, str]:
        """How long it took, and what it said."""
        started = time.monotonic()
        out, err = self.process.communicate(timeout=120)
        return time.monotonic() - started, out, err

    def left_running(self) -> list[int]:
        """After the warden had its time."""
        deadline = time.monotonic() + 30
        while (found := in_tree(self.token)) and time.monotonic() < deadline:
            os.sched_yield()
        return found


def sluggishness() -> float:
    """How much longer than on a quiet machine things take here and now."""
    started = time.monotonic()
    subprocess.run([sys.executable, "-m", "untrod", "doctor"], check=True, capture_output=True)
    return 3 * max(0.0, time.monotonic() - started - 0.8)


def leftovers(folder: Path) -> list[str]:
    scratch = folder / ".untrod" / "scratch"
    files = list(scratch.iterdir()) if scratch.exists() else []
    return [str(path) for path in (*files, *folder.rglob("test_untrod_trial_*"))]


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("verb", COMMANDS)
def test_once(project, verb: str, phase: str) -> None:
    budget = "30s" if verb == "hunt" else "60"
    slow = sluggishness()
    meeting = Meeting(project, phase, [*COMMANDS[verb], budget])
    held = meeting.reach(phase)
    meeting.interrupt()
    took, out, err = meeting.end()
    os.close(held)
    slow += sluggishness()
    assert "Traceback" not in err
    assert "report: " in out or err.strip().splitlines()[-1].startswith("untrod: ")
    assert took < PROMISED + slow
    assert meeting.left_running() == []
    assert leftovers(project.folder) == []


@pytest.mark.parametrize("phase", ["import", "try-out"])
@pytest.mark.parametrize("verb", ["cover", "hunt"])
def test_twice_is_at_once(project, verb: str, phase: str) -> None:
    meeting = Meeting(project, phase, [*COMMANDS[verb], "30s" if verb == "hunt" else "60"])
    held = meeting.reach(phase)
    meeting.interrupt()
    meeting.interrupt()
    _, _, err = meeting.end()
    os.close(held)
    assert "Traceback" not in err
    assert meeting.left_running() == []
    assert leftovers(project.folder) == []


def test_before_anything_has_begun(project) -> None:
    """At any moment of the start: there is the one line, or nothing yet that could say it."""
    project.write("mod.py", "def double(n: int) -> int:\n    return 2 * n\n")
    for moment in range(12):
        process = project.start("cover", "mod.py", "--budget", "30s")
        try:
            process.wait(0.04 * moment)
        except subprocess.TimeoutExpired:
            pass
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        assert process.returncode in (0, 130, -signal.SIGINT), err
        if process.returncode != -signal.SIGINT:  # Python itself was still starting
            assert "Traceback" not in err
