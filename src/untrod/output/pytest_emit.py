"""Tests that were seen to replay, and only those."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from untrod.output.cases import TestCase
from untrod.output.files import write_atomically
from untrod.output.pytest_verify import VerifyResult, verify
from untrod.output.pytest_writer import Origin, named_cases, render_file, write_tests

_TRIAL = "test_untrod_trial_"


@dataclass(frozen=True, slots=True)
class Dropped:
    """A case that is not handed over, and what pytest said about it."""

    case: TestCase
    reason: str


@dataclass(frozen=True, slots=True)
class Emitted:
    paths: tuple[Path, ...]
    cases: tuple[TestCase, ...]
    dropped: tuple[Dropped, ...]


def emit_tests(
    folder: Path,
    module_slug: str,
    cases: Iterable[TestCase],
    origin: Origin,
    *,
    timeout: float,
    python: str = sys.executable,
) -> Emitted:
    """Like `write_tests`, without the cases that do not do under pytest what they say, or expecting less.

    They are tried in a file of their own beside the one to be written, which is touched only afterwards.
    When that run breaks off, one case may have taken the others down: then each is tried alone, with
    `timeout` seconds for each run.
    """
    trial = _Trial(folder, origin, timeout, python)
    distinct = [case for _, case in named_cases(cases)]
    problems = trial.all_problems(distinct)
    weaker = {case: case.weaker for case in distinct if problems.get(case) and case.weaker}
    if weaker:
        distinct = [weaker.get(case, case) for case in distinct]
        problems |= trial.all_problems(list(weaker.values()))
    good = tuple(case for case in distinct if not problems.get(case))
    dropped = tuple(Dropped(case, problems[case]) for case in distinct if problems.get(case))
    return Emitted(tuple(write_tests(folder, module_slug, good, origin)), good, dropped)


class _NoVerdict(Exception):
    """The run says nothing about a single case."""


@dataclass(frozen=True, slots=True)
class _Trial:
    folder: Path
    origin: Origin
    timeout: float
    python: str

    def all_problems(self, cases: list[TestCase]) -> dict[TestCase, str]:
        """What is wrong with each case, in a line; empty when it replays."""
        try:
            return self._problems(cases) if cases else {}
        except _NoVerdict:
            return {case: self._alone(case) for case in cases}

    def _alone(self, case: TestCase) -> str:
        try:
            return self._problems([case])[case]
        except _NoVerdict as reason:
            return str(reason)

    def _problems(self, cases: list[TestCase]) -> dict[TestCase, str]:
        """Raises _NoVerdict."""
        result = self._run(cases)
        said: dict[str, list[str]] = {}
        for test in result.tests:
            problem = "" if test.replays else f"{test.outcome}: {test.message}"
            said.setdefault(test.name.partition("[")[0], []).append(problem)
        names = dict(named_cases(cases))
        if result.error or said.keys() != names.keys():  # a file that cannot be imported counts as one test
            complaints = [problem for problems in said.values() for problem in problems if problem]
            raise _NoVerdict(result.error or "; ".join(complaints) or "pytest did not run it")
        return {case: next(filter(None, said[name]), "") for name, case in names.items()}

    def _run(self, cases: list[TestCase]) -> VerifyResult:
        _sweep(self.folder)
        path = self.folder / f"{_TRIAL}{os.getpid()}.py"  # turns of a hunt try theirs out at the same time
        write_atomically(path, render_file(self.folder, cases, self.origin))
        try:
            return verify(path, python=self.python, cwd=self.origin.root, timeout=self.timeout)
        finally:
            path.unlink(missing_ok=True)


def _sweep(folder: Path) -> None:
    """Away with what a killed process has left."""
    for path in folder.glob(f"{_TRIAL}*.py"):
        number = path.stem.removeprefix(_TRIAL)
        try:
            os.kill(int(number), 0)
        except ProcessLookupError:
            path.unlink(missing_ok=True)
        except (ValueError, OverflowError, PermissionError):
            continue  # not ours
