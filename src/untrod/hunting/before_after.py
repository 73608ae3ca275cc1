"""What the project's own tests cover, and what they cover together with those that a hunt wrote.

Both by coverage.py and pytest, as a person would measure it, but confined as all code under test: a test that
writes into the project, starts processes or connects fails unless the hunt was allowed to.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from untrod.core.text import duration
from untrod.output.pytest_verify import as_pattern
from untrod.runtime import launch, sandboxed
from untrod.runtime.removal import remove_tree
from untrod.runtime.sandboxed import Sandbox, command

_NO_TESTS = 5  # pytest's exit status when it collected nothing


@dataclass(frozen=True, slots=True)
class Coverage:
    covered: int
    branches: int

    def __str__(self) -> str:
        share = f" ({self.covered / self.branches:.0%})" if self.branches else ""
        return f"{self.covered:,} of {self.branches:,} branches{share}"


@dataclass(frozen=True, slots=True)
class Gain:
    """What is None could not be measured: `why` says why."""

    before: Coverage | None
    after: Coverage | None
    why: str = ""

    def to_json(self) -> dict[str, Any]:
        def body(found: Coverage | None) -> dict[str, int] | None:
            return None if found is None else {"covered": found.covered, "branches": found.branches}

        return {"before": body(self.before), "after": body(self.after), "why": self.why}

    def in_words(self) -> list[str]:
        lines = [f"by the project's own tests: {self._told(self.before)}"]
        if self.after is not None or self.before is not None:
            lines.append(f"with the tests of the hunt: {self._told(self.after)}")
        return lines

    def _told(self, found: Coverage | None) -> str:
        if found is None:
            return f"not measured: {self.why}"
        return str(found) if found.branches else "none, no test imports them"


class Measuring:
    """Holds the data of coverage.py between two looks: a context manager around a temporary folder."""

    def __init__(
        self,
        project: Path,
        files: Sequence[str],
        own: Path,
        seconds: float,
        *,
        allow: Sequence[str] = (),
        memory_mb: int = 0,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """`files` are the modules that count; `own` is where the hunt's tests go; each look ends in time."""
        self._project, self._files, self._own, self._seconds = project, files, own, seconds
        self._allow, self._memory_mb, self._stop = tuple(allow), memory_mb, stop
        self._why = ""

    def __enter__(self) -> Measuring:
        self._folder = launch.temporary_folder("untrod-coverage-")
        return self

    def __exit__(self, *_: object) -> None:
        remove_tree(self._folder)
        launch.keep_after_us(self._folder)

    def before(self) -> Coverage | None:
        """None when that did not work, `why` then says it."""
        ignored = [f"--ignore={self._own}"]
        if not self._pytest([*ignored]):
            return None
        return self._counted()

    def after(self) -> Coverage | None:
        if not (self._project / self._own).exists():
            self._why = self._why or "it wrote none"
            return None
        return self._counted() if self._pytest([str(self._own)]) else None

    def gain(self, before: Coverage | None, after: Coverage | None) -> Gain:
        # A module that no test of the project imports is first seen with those of the hunt.
        if before is not None and after is not None:
            before = Coverage(before.covered, max(before.branches, after.branches))
        return Gain(before, after, self._why)

    def _pytest(self, words: Sequence[str]) -> bool:
        quiet = ["-q", "--no-header", "--tb=no", "-p", "no:cacheprovider"]
        command = ["run", "--branch", "--append", "-m", "pytest", *quiet, *words]
        status = self._coverage(command)
        if status is None and self._stop():
            self._why = "it was interrupted"
        elif status is None:
            self._why = f"they took longer than {duration(self._seconds)}"
        elif status not in (0, 1, _NO_TESTS):
            self._why = f"pytest ended with status {status}"
        return status in (0, 1, _NO_TESTS)

    def _counted(self) -> Coverage | None:
        target = self._folder / "coverage.json"
        include = ",".join(map(as_pattern, self._files))
        if self._coverage(["json", "-i", "-q", "-o", str(target), f"--include={include}"]) != 0:
            return Coverage(0, 0)  # no data: nothing of it was ever imported
        totals = json.loads(target.read_text(encoding="utf-8"))["totals"]
        return Coverage(totals["covered_branches"], totals["num_branches"])

    def _coverage(self, words: Sequence[str]) -> int | None:
        """The project's tests are code under test: they may write to our folder only. They run in the
        project's, because many read files of it."""
        variables = sandboxed.environment(str(self._folder))
        variables["COVERAGE_FILE"] = str(self._folder / "data")
        variables.pop("COVERAGE_PROCESS_START", None)
        sandbox = Sandbox(
            str(self._folder), self._allow, path=(str(self._project),), memory_mb=self._memory_mb
        )
        process = launch.start(
            command(sys.executable, sandbox, "coverage", [*words[:1], "--rcfile=", *words[1:]]),
            cwd=self._project,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=variables,
        )
        return launch.wait(process, self._seconds, self._stop)
