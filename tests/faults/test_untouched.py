"""Whoever points untrod at their only copy of a project has it afterwards, byte for byte; and whoever then
runs the tests that were written has it still."""

from __future__ import annotations

import hashlib
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

ATTACKS = {
    "cleans by relative names": """
        for path in glob.glob("*.txt") + glob.glob("src/*"):
            os.remove(path)
        shutil.rmtree("build", ignore_errors=True)
    """,
    "writes by a relative name": """
        with open("notes.txt", "w") as file:
            file.write("gone")
    """,
    "appends to what is there": """
        with open("notes.txt", "a") as file:
            file.write("more")
    """,
    "renames": 'os.rename("notes.txt", "other.txt")',
    "deletes by an absolute name": 'os.remove(PRECIOUS + "/precious.txt")',
    "deletes the project": "shutil.rmtree(PROJECT)",
    "truncates": 'os.truncate(PRECIOUS + "/precious.txt", 0)',
    "changes modes by a descriptor": 'os.fchmod(os.open(PRECIOUS + "/precious.txt", os.O_RDONLY), 0)',
    "starts a process": 'subprocess.run(["rm", "-rf", PRECIOUS], check=True)',
    "asks a shell": 'os.system(f"touch {PRECIOUS}/new")',
    "opens beneath a folder": """
        folder = os.open(PRECIOUS, os.O_RDONLY)
        os.open("precious.txt", os.O_WRONLY | os.O_TRUNC, dir_fd=folder)
    """,
    "opens with an opener": """
        open("x", "w", opener=lambda name, flags: os.open(PRECIOUS + "/precious.txt", flags)).close()
    """,
    "attaches a database": """
        base = sqlite3.connect(":memory:")
        base.execute(f"attach '{PRECIOUS}/new.db' as other")
        base.execute("create table other.t (x)")
    """,
    "makes a pipe": 'os.mkfifo(PRECIOUS + "/pipe")',
    "calls C": 'ctypes.CDLL(None).unlink(f"{PRECIOUS}/precious.txt".encode())',
    "leaves it to the end of the process": "atexit.register(shutil.rmtree, PRECIOUS)",
    "leaves it to a thread": "threading.Timer(0.05, shutil.rmtree, [PRECIOUS]).start()",
    "leaves temporary files": "tempfile.mkstemp()",
}
HEAD = """
import atexit, ctypes, glob, os, shutil, sqlite3, subprocess, tempfile, threading

PROJECT = {project!r}
PRECIOUS = {precious!r}

try:
    os.remove(PRECIOUS + "/precious.txt")
except OSError:
    pass

def pick(choose):
    return [choose(range(5)) for _ in range(2)]
"""
LOUD = """
def loud{number}(items: list[int]) -> int:
    if len(items) > 0:
{body}
    return len(items)
"""
SWALLOWED = """
def quiet{number}(items: list[int]) -> int:
    if len(items) > 0:
        try:
{body}
        except Exception:
            pass
    return len(items)
"""
EVERYTHING = """
def everything(items: list[int]) -> int:
    for attack in ({names}):
        attack(items)
    assert sum(items) != 3
    return sum(items)
"""


class Watched:
    """A project with things in it, and a folder beside it."""

    def __init__(self, project, precious: Path) -> None:
        self.project, self.precious = project, precious
        precious.mkdir()
        for path in (precious / "precious.txt", precious / "sub" / "more.txt"):
            path.parent.mkdir(exist_ok=True)
            path.write_text("the only copy")
        for name in ("notes.txt", "keep.txt", "build/artefact", "src/code", "data.db"):
            project.write(name, "the only copy")
        project.write("mod.py", self._module())
        self._before = self._seen()

    def assert_untouched(self) -> None:
        assert self._seen() == self._before

    def _module(self) -> str:
        functions, names = [], []
        for number, body in enumerate(ATTACKS.values()):
            functions.append(LOUD.format(number=number, body=_indented(body, 8)))
            functions.append(SWALLOWED.format(number=number, body=_indented(body, 12)))
            names.append(f"quiet{number}")
        head = HEAD.format(project=str(self.project.folder), precious=str(self.precious))
        return head + "".join(functions) + EVERYTHING.format(names=", ".join(names))

    def _seen(self) -> dict[str, tuple[int, str]]:
        found = {}
        for root in (self.project.folder, self.precious):
            for folder, folders, files in os.walk(root):
                folders[:] = [name for name in folders if not _own(Path(folder, name), self.project.folder)]
                for name in [*files, *folders]:
                    path = Path(folder, name)
                    mode = path.lstat().st_mode
                    content = hashlib.sha256(path.read_bytes()).hexdigest() if stat.S_ISREG(mode) else ""
                    found[str(path)] = (mode, content)
        return found


def _own(path: Path, project: Path) -> bool:
    return path in (project / ".untrod", project / "tests") or path.name == "__pycache__"


def _indented(body: str, by: int) -> str:
    import textwrap

    return textwrap.indent(textwrap.dedent(body).strip("\n"), " " * by)


@pytest.fixture
def watched(project, tmp_path: Path) -> Watched:
    return Watched(project, tmp_path / "precious")


COMMANDS = {
    "cover": ["cover", "mod.py", "--budget", "1500"],
    "worst": ["worst", "mod.py:everything", "--budget", "150"],
    "inputs": ["inputs", "mod.py:pick", "--test", "everything", "--budget", "300"],
    "hunt": ["hunt", "mod.py", "--budget", "15s", "--workers", "2"],
}


@pytest.mark.parametrize("verb", COMMANDS)
def test_nothing_is_touched(watched: Watched, verb: str) -> None:
    done = watched.project.untrod(*COMMANDS[verb], timeout=170)
    assert done.status in (0, 1), done.err
    assert "Traceback" not in done.err
    watched.assert_untouched()
    assert "--allow write" in done.out + done.err  # what was refused, by importing as well, is told

    tests = watched.project.folder / "tests"
    if tests.exists():
        # As a person would. They have nothing that would stop it: so there must be nothing to stop.
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
        (watched.precious / "precious.txt").chmod(0o644)
        watched_module = watched.project.folder / "mod.py"
        source = watched_module.read_text()
        head, _, rest = source.partition("def pick")
        watched_module.write_text(
            head.partition("try:")[0] + "def pick" + rest
        )  # importing it is theirs to judge
        subprocess.run(command, cwd=watched.project.folder, check=False, timeout=120, capture_output=True)
        watched_module.write_text(source)
        watched.assert_untouched()
