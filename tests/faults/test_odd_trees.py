"""Project trees that nobody made in good faith: a hunt and a campaign end, say a line, and stay inside."""

from __future__ import annotations

import ctypes
import hashlib
import os
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.timeout(300)
BOX = (
    "def price(amount: int) -> int:\n    if amount > 7:\n        raise KeyError(amount)\n    return amount\n"
)
_DROP, _OVERRIDE, _SEARCH = 24, 1, 2  # PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH


def odd_files(project: Path, outside: Path) -> None:
    os.mkfifo(project / "fifo.py")
    (project / "endless.py").symlink_to("/dev/zero")
    (project / "loop.py").symlink_to("loop.py")
    (project / "round").symlink_to(".")
    (project / "large.py").write_bytes(b"#" * 50_000_000)
    (project / os.fsdecode(b"caf\xe9.py")).write_text(BOX)
    (project / "folder.py").mkdir()
    (project / "--debug.py").write_text(BOX)
    with socket.socket(socket.AF_UNIX) as end:
        before = os.getcwd()
        os.chdir(project)  # such addresses are short
        end.bind("socket.py")
        os.chdir(before)


def unreadable(project: Path, outside: Path) -> None:
    (project / "closed").mkdir()
    (project / "closed" / "a.py").write_text(BOX)
    (project / "secret.py").write_text(BOX)
    (project / "secret.py").chmod(0)
    (project / "closed").chmod(0)


def linked_tests(project: Path, outside: Path) -> None:
    (project / "tests").mkdir()
    (project / "tests" / "untrod").symlink_to(outside)


def linked_test(project: Path, outside: Path) -> None:
    (project / "tests" / "untrod").mkdir(parents=True)
    for name in ("test_box_cover.py", "test_box_cover_2.py"):
        (project / "tests" / "untrod" / name).symlink_to(outside / "precious.py")


def closed_tests(project: Path, outside: Path) -> None:
    (project / "tests").mkdir()
    (project / "tests").chmod(0o500)


def closed_store(project: Path, outside: Path) -> None:
    (project / ".untrod").mkdir()
    (project / ".untrod").chmod(0o500)


def in_the_store(name: str, to: str = "") -> Callable[[Path, Path], None]:
    def lay(project: Path, outside: Path) -> None:
        (project / ".untrod").mkdir()
        (project / ".untrod" / name).symlink_to(outside / to)

    return lay


DONE, REFUSED = "done", "refused"
TREES: dict[str, tuple[Callable[[Path, Path], object], str, str]] = {
    "files that are none": (odd_files, DONE, ""),
    "what may not be read": (unreadable, DONE, ""),
    "tests is a file": (lambda own, other: (own / "tests").write_text(""), DONE, "no tests were written to "),
    "tests may not be written": (closed_tests, DONE, "no tests were written to "),
    "tests lead outside": (lambda own, other: (own / "tests").symlink_to(other), REFUSED, "is a link that"),
    "tests/untrod leads outside": (linked_tests, REFUSED, "is a link that leads out"),
    "tests lead nowhere": (lambda own, other: (own / "tests").symlink_to("tests"), REFUSED, "in a circle"),
    "a test leads outside": (linked_test, DONE, ""),
    "the caches lead outside": (lambda own, other: (own / "__pycache__").symlink_to(other), DONE, ""),
    "the store is a file": (lambda own, other: (own / ".untrod").write_text(""), REFUSED, "is a file"),
    "the store is a FIFO": (lambda own, other: os.mkfifo(own / ".untrod"), REFUSED, "is a file"),
    "the store leads outside": (lambda own, other: (own / ".untrod").symlink_to(other), REFUSED, "is a link"),
    "the store leads to nothing": (
        lambda own, other: (own / ".untrod").symlink_to(other / "new"),
        REFUSED,
        "is a link that leads out of the project",
    ),
    "the store may not be written": (closed_store, REFUSED, "Permission denied"),
    "its reports lead outside": (in_the_store("reports"), REFUSED, "untrod never makes"),
    "its scratch leads outside": (in_the_store("scratch"), REFUSED, "untrod never makes"),
    "its lock leads outside": (in_the_store("store.lock", "precious.py"), REFUSED, "untrod never makes"),
    "its database leads outside": (
        in_the_store("store.sqlite3", "precious.py"),
        REFUSED,
        "untrod never makes",
    ),
    "the project may not be written": (lambda own, other: own.chmod(0o500), REFUSED, "Permission denied"),
    "settings that never end": (lambda own, other: os.mkfifo(own / "pyproject.toml"), REFUSED, "is a FIFO"),
}


@pytest.fixture
def tree(tmp_path: Path) -> Iterator[tuple[Path, Path]]:
    project, outside = tmp_path / "project", tmp_path / "outside"
    project.mkdir()
    outside.mkdir()
    (project / "box.py").write_text(BOX)
    (outside / "precious.py").write_text("precious = True\n")
    yield project, outside
    for folder in (project, *(path for path in project.iterdir() if path.is_dir() and not path.is_symlink())):
        folder.chmod(0o700)


@pytest.mark.parametrize("verb", ["hunt", "cover"])
@pytest.mark.parametrize("name", TREES)
def test_no_tree_leads_out_of_the_project(name: str, verb: str, tree: tuple[Path, Path]) -> None:
    project, outside = tree
    lay, end, words = TREES[name]
    lay(project, outside)
    before, own = fingerprint(outside), fingerprint(project)
    target = ["."] if verb == "hunt" else ["box.py"]
    flags = ["--no-coverage"] if verb == "hunt" else []
    done = untrod(project, verb, *target, *flags, "--budget", "60", "--workers", "1", "--json")

    said = done.stdout + done.stderr
    assert "Traceback" not in said
    assert "a bug in untrod" not in said
    assert fingerprint(outside) == before
    assert done.returncode == (2 if end == REFUSED else 0), said
    if words:
        assert words in (done.stderr.splitlines()[-1] if end == REFUSED else said)
    if end == REFUSED:
        assert done.stderr.count("\n") == 1
        assert done.stdout == ""
    after = fingerprint(project)
    assert own.items() <= after.items()  # what was there is as it was
    assert all(path.startswith((".untrod", "tests")) for path in after.keys() - own.keys())


def test_a_hunt_names_what_it_leaves_out(tree: tuple[Path, Path]) -> None:
    project, outside = tree
    odd_files(project, outside)
    unreadable(project, outside)
    done = untrod(project, "hunt", "--no-coverage", "--budget", "60", "--workers", "1")

    assert done.returncode == 0, done.stderr
    for line in (
        "closed is left out: Permission denied",
        "endless.py is left out: it is a device",
        "fifo.py is left out: it is a FIFO",
        "large.py is left out: it is larger than 2 MB",
        "loop.py is left out: Too many levels of symbolic links",
        "secret.py is left out: Permission denied",
        "socket.py is left out: it is a socket",
        "--debug.py is not importable: its name is not an identifier",
    ):
        assert line in done.stdout, done.stdout
    assert "cover box.py: 2 of 2 branches" in done.stdout


def fingerprint(folder: Path) -> dict[str, str]:
    """What lies in it, by relative path, without following a link."""
    found = {}
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = os.path.join(place, name)
            kind = os.lstat(path)
            content = f"{kind.st_mode:o}"
            if stat.S_ISLNK(kind.st_mode):
                content += os.readlink(path)
            elif stat.S_ISREG(kind.st_mode) and os.access(path, os.R_OK):
                content += hashlib.sha256(Path(path).read_bytes()).hexdigest()
            found[os.path.relpath(path, folder)] = content
    return found


def untrod(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "untrod", *words],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        timeout=250,
        check=False,
        preexec_fn=_obey_permissions if os.geteuid() == 0 else None,
    )


def _obey_permissions() -> None:
    """As everybody has to who is not root."""
    library = ctypes.CDLL(None)
    for capability in (_OVERRIDE, _SEARCH):
        library.prctl(_DROP, capability, 0, 0, 0)
