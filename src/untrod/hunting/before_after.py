"""What the project's own tests cover, and what they cover together with those that a hunt wrote.

Both by coverage.py and pytest, as a person would measure it, but confined as all code under test (see
`own_tests`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from untrod.core.text import PATH, duration, one_line
from untrod.hunting.own_tests import OwnTests, PytestRun
from untrod.output.pytest_verify import as_pattern

_MEASURED = (0, 1, 2, 5)
"""pytest's exit status when it has run: all passed, some failed, some were not collected, there were none."""
_COUNTING = 60.0


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
    cut: str = ""
    """How far the project's own tests were run, where that was not all of them."""

    def to_json(self) -> dict[str, Any]:
        def body(found: Coverage | None) -> dict[str, int] | None:
            return None if found is None else {"covered": found.covered, "branches": found.branches}

        return {"before": body(self.before), "after": body(self.after), "why": self.why or self.cut}

    def in_words(self) -> list[str]:
        lines = [f"by the project's own tests: {self._told(self.before)}"]
        if self.after is not None or self.before is not None:
            lines.append(f"with the tests of the hunt: {self._told(self.after)}")
        return lines

    def _told(self, found: Coverage | None) -> str:
        if found is None:
            return f"not measured: {self.why}"
        if not found.branches:
            return "none, no test imports them"
        return f"at least {found}: {self.cut}" if self.cut else str(found)


class Measuring:
    """Holds the data of coverage.py between two looks."""

    def __init__(
        self,
        tests: OwnTests,
        project: Path,
        files: Sequence[str],
        own: Path,
        folder: Path,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """`files` are the modules that count; `own` is where the hunt's tests go; `folder` holds the data."""
        self._tests, self._project, self._files = tests, project, files
        self._own, self._folder, self._stop = own, folder, stop
        self._why = self._cut = ""
        self.ran = PytestRun(None)
        """The project's own tests, as they are."""
        self.left: dict[str, float] = {}
        """The share of its branches that the project's tests do not take, by file."""

    def before(self, seconds: float) -> Coverage | None:
        """None when that did not work, `why` then says it."""
        self.ran = self._pytest([f"--ignore={self._own}"], seconds)
        if not self._worked(self.ran, seconds):
            return None
        if self.ran.cut:
            self._cut = f"no time for all in {duration(seconds)}"
        counted = self._counted()
        if not counted.covered and (copy := self._copy()):
            self._why = f"the tests import an installed copy: {one_line(copy, PATH)}"
            return None
        return counted

    def after(self, seconds: float) -> Coverage | None:
        if not (self._project / self._own).exists():
            self._why = self._why or "it wrote none"
            return None
        return self._counted() if self._worked(self._pytest([str(self._own)], seconds), seconds) else None

    def gain(self, before: Coverage | None, after: Coverage | None) -> Gain:
        # A module that no test of the project imports is first seen with those of the hunt.
        if before is not None and after is not None:
            before = Coverage(before.covered, max(before.branches, after.branches))
        return Gain(before, after, self._why, self._cut)

    def _pytest(self, words: Sequence[str], seconds: float) -> PytestRun:
        under = ("coverage", "run", "--rcfile=", "--branch", "--append")
        return self._tests.run(self._folder, words, seconds, under, self._variables())

    def _worked(self, ran: PytestRun, seconds: float) -> bool:
        if ran.status is None and self._stop():
            self._why = "it was interrupted"
        elif ran.status is None:
            self._why = f"they took longer than {duration(seconds)}"
        elif ran.status not in _MEASURED:
            self._why = f"pytest ended with status {ran.status}"
        return ran.status in _MEASURED

    def _counted(self) -> Coverage:
        target = self._folder / "coverage.json"
        include = ",".join(map(as_pattern, self._files))
        words = ["json", "--rcfile=", "-i", "-q", "-o", str(target), f"--include={include}"]
        if self._tests.python(self._folder, "coverage", words, _COUNTING, self._variables()) != 0:
            return Coverage(0, 0)  # no data: nothing of it was ever imported
        told = json.loads(target.read_text(encoding="utf-8"))
        for file, body in told["files"].items():
            branches, name = (
                body["summary"]["num_branches"],
                os.path.relpath(self._project / file, self._project),
            )
            self.left[name] = body["summary"]["missing_branches"] / branches if branches else 0.0
        return Coverage(told["totals"]["covered_branches"], told["totals"]["num_branches"])

    def _copy(self) -> str:
        """Where a module of the product was imported from, if that is another place; else nothing."""
        modules = self._tests.modules
        found = (
            file
            for name, file in self.ran.imported.items()
            if os.path.realpath(modules.get(name, file)) != file
        )
        return next(found, "")

    def _variables(self) -> dict[str, str]:
        return {"COVERAGE_FILE": str(self._folder / "data")}
