"""An application to be driven: how it is started, how one logs in, and what it is asked to show."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from bench.gui.apps.task import LEVELS, Task
from untrod.drivers.setup_script import Setup

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class App:
    """`site` is a module in `sites`, which serves the application from a folder of its own."""

    name: str
    site: str
    tasks: tuple[Task, ...]
    module: str = ""  # what has to be installed
    missing_too: Callable[[], str] = str  # what else
    path: str = "/"
    steps: int = 6
    """Of an episode."""
    words: Mapping[str, list[str]] = field(default_factory=dict)
    login: Callable[[Any], None] | None = None

    @property
    def specs(self) -> dict[str, str]:
        """Formulas by the letter of a task and the level of detail, as FARLEAD's Table 3 names them: Aa, Ab,
        Ac, Ba and so on."""
        lettered = zip(ascii_uppercase, self.tasks, strict=False)
        return {letter + level: task.formula(level) for letter, task in lettered for level in LEVELS}

    def missing(self) -> str:
        """Why it cannot be started here; empty if it can."""
        if self.module and find_spec(self.module) is None:
            return f"{self.name} is not installed: make test installs it"
        return self.missing_too()

    @contextmanager
    def running(self) -> Iterator[tuple[str, Setup]]:
        """Its address, and what a driver has to know. Nothing of it is left afterwards."""
        with tempfile.TemporaryDirectory(prefix="untrod-app-") as name:
            folder = Path(name)
            with _serving(f"bench.gui.apps.sites.{self.site}", folder) as address:
                yield (
                    address + self.path,
                    Setup(dict(self.words), self.login, restore=lambda: _restore(folder)),
                )


def _restore(folder: Path) -> None:
    """The data as they were. No server here keeps its database open between two requests."""
    if (folder / "clean.db").exists():
        shutil.copyfile(folder / "clean.db", folder / "app.db")


@contextmanager
def _serving(module: str, folder: Path) -> Iterator[str]:
    command = [sys.executable, "-m", module, str(folder)]
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=ROOT, text=True, **pipes) as process:
        try:
            address = process.stdout.readline().strip() if process.stdout else ""
            if not address:
                raise RuntimeError(f"{module} does not start")
            yield address
        finally:
            process.kill()
