"""Shared by all tests: a project folder in which the real command is run as a person would."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings

settings.load_profile("ci")  # the same on a laptop and in CI, however busy either is

# What a shell starts in the background ignores Ctrl-C, and so would all that the tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


@dataclass(frozen=True)
class Result:
    status: int
    out: str
    err: str

    @property
    def events(self) -> list[dict]:
        return [json.loads(line) for line in self.out.splitlines()]

    def of(self, name: str) -> list[dict]:
        return [event for event in self.events if event["event"] == name]


@dataclass(frozen=True)
class Project:
    """A folder with some Python files, and `untrod` run inside it."""

    folder: Path

    def write(self, name: str, source: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
        return path

    def command(self, *arguments: object) -> list[str]:
        return [sys.executable, "-m", "untrod", *map(str, arguments)]

    def start(self, *arguments: object, **options) -> subprocess.Popen[str]:
        """The command in the background, in a session of its own, its output on pipes."""
        return subprocess.Popen(
            self.command(*arguments),
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            **options,
        )

    def untrod(self, *arguments: object, timeout: float = 120.0) -> Result:
        done = subprocess.run(
            self.command(*arguments),
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        return Result(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="session", autouse=True)
def state_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What untrod keeps for a user: not that of whoever runs the tests."""
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    folder = tmp_path / "project"
    folder.mkdir()
    return Project(folder)


@pytest.fixture(scope="module")
def lasting_project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """For a campaign that all tests of a file look at."""
    return Project(tmp_path_factory.mktemp("project"))


@pytest.fixture
def examples() -> Path:
    return EXAMPLES


@pytest.fixture
def bst(project: Project) -> Project:
    """A project that holds examples/bst.py."""
    project.write("bst.py", (EXAMPLES / "bst.py").read_text())
    return project
