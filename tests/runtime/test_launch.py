"""What is started ends with whoever started it."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import untrod
from untrod.runtime import launch
from untrod.runtime.processes import in_tree

LINGERS = "import time; print('here', flush=True); time.sleep(600)"
HIDES = f"""
import os, subprocess, sys
subprocess.Popen([sys.executable, "-c", {LINGERS!r}], start_new_session=True)
"""
PARENT = """
import os, sys
from pathlib import Path
from untrod.runtime import launch
folder = launch.temporary_folder("untrod-test-", Path(sys.argv[1]))
(folder / "file").touch()
kept = launch.temporary_folder("untrod-test-", Path(sys.argv[1]))
launch.keep_after_us(kept)
process = launch.start([sys.executable, "-c", sys.argv[2]])
process.wait()
print(process.mark, kept.name, flush=True)
sys.stdin.read()
"""


def gone(mark: str) -> bool:
    deadline = time.monotonic() + 30
    while in_tree(mark):
        if time.monotonic() > deadline:
            return False
        os.sched_yield()
    return True


def test_what_has_hidden_in_a_session_of_its_own_ends_too() -> None:
    process = launch.start([sys.executable, "-c", HIDES], stdout=subprocess.PIPE, text=True)
    with process:
        assert process.stdout.readline() == "here\n"
        process.wait()
        assert len(in_tree(process.mark)) == 1
        launch.end(process)
    assert in_tree(process.mark) == []


def test_a_killed_parent_leaves_no_process_and_no_folder(tmp_path: Path) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(tmp_path), HIDES],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with parent:
        assert parent.stdout is not None
        said = [parent.stdout.readline().strip() for _ in range(2)]
        mark, kept = next(line for line in said if line != "here").split()
        assert len(in_tree(mark)) == 1
        os.kill(parent.pid, signal.SIGKILL)
        parent.wait()
    assert gone(mark)
    deadline = time.monotonic() + 30
    while len(list(tmp_path.iterdir())) > 1 and time.monotonic() < deadline:
        os.sched_yield()
    assert [path.name for path in tmp_path.iterdir()] == [kept]


def test_a_killed_turn_of_a_hunt_leaves_no_folder(tmp_path: Path) -> None:
    """Its own warden is not killed along with it."""
    turn = launch.start(
        [sys.executable, "-c", PARENT, str(tmp_path), HIDES],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with turn:
        kept = next(line for line in iter(turn.stdout.readline, "") if line != "here\n")
        launch.end(turn)
    assert gone(turn.mark)
    assert [path.name for path in tmp_path.iterdir()] == [kept.split()[1]]


def test_a_short_command_gives_its_output_and_its_status() -> None:
    command = [sys.executable, "-c", "import sys; print('x'); sys.exit(3)"]
    done = launch.run(command, stdout=subprocess.PIPE, text=True)
    assert (done.stdout, done.returncode) == ("x\n", 3)


def test_what_does_not_end_is_not_waited_for() -> None:
    asked = []
    process = launch.start([sys.executable, "-c", LINGERS], stdout=subprocess.DEVNULL)
    assert launch.wait(process, 600, lambda: bool(asked) or bool(asked.append(1))) is None
    assert in_tree(process.mark) == []


STARTS = (
    "subprocess.Popen",
    "subprocess.run",
    "subprocess.c",
    "subprocess.get",
    "os.fork",
    "os.system",
    "os.popen",
    "os.posix_spawn",
    "os.spawn",
    "os.exec",
    "multiprocessing.",
)
MAY_START = {
    "runtime/launch.py",
    "engines/cover/native/launcher.py",  # a process that does nothing else
    "engines/cover/native/trial.py",  # stands in for subprocess.run in tests
}


def test_nobody_else_starts_processes() -> None:
    root = Path(untrod.__file__).parent
    found = set()
    for path in root.rglob("*.py"):
        for call in [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]:
            words = ast.unparse(call.func)
            if words.startswith(STARTS):
                found.add((path.relative_to(root).as_posix(), words))
    assert {(file, words) for file, words in found if file not in MAY_START} == set()
