"""Tests that were seen to replay, and only those."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from untrod.core.writing import write_atomically
from untrod.output.cases import TestCase
from untrod.output.pytest_verify import Taken, VerifyResult, verify
from untrod.output.pytest_writer import Origin, named_cases, render_file, write_tests
from untrod.runtime.launch import removed_with_us

_TRIAL = "test_untrod_trial_"
HURRIED = 0.5
"""Seconds that are left after a Ctrl-C."""
_SHORTEST = 5.0
"""Seconds that a part of the cases has at least, when all of them together gave no verdict."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A case that is not handed over, and what pytest said about it."""

    case: TestCase
    reason: str


@dataclass(frozen=True, slots=True)
class Emitted:
    """`taken` is what these very cases take, each time that they were run; None where nobody has measured.
    `runs`: how often all of them were seen to hold."""

    paths: tuple[Path, ...]
    cases: tuple[TestCase, ...]
    dropped: tuple[Dropped, ...]
    taken: Taken | None = None
    runs: int = 0


@dataclass(frozen=True, slots=True)
class Tryout:
    """How cases are tried out: in so many `processes`, each with other hashes and other random numbers; with
    `timeout` seconds for a run and `seconds` for all, with what `allow` names and so much memory. `hurry`:
    one process will do, for a moment. `measured` are source files to watch, `show` is told what is done."""

    timeout: float
    seconds: float = float("inf")
    enough: float = float("inf")  # after so many, one process will do
    processes: int = 1
    allow: frozenset[str] = frozenset()
    memory_mb: int = 0
    measured: Collection[str] | None = None
    hurry: Callable[[], bool] = lambda: False
    show: Callable[[str], None] = lambda line: None
    python: str = sys.executable


def emit_tests(
    folder: Path, module_slug: str, cases: Iterable[TestCase], origin: Origin, tryout: Tryout
) -> Emitted:
    """Like `write_tests`, without the cases that do not do under pytest what they say, or expecting less.

    They are tried in a file of their own beside the one to be written, which is touched only afterwards.
    When that run breaks off, one case may have taken the others down: then they are tried in halves.
    """
    trial = _Trial(folder, origin, tryout)
    good, dropped = trial.confirm([case for _, case in named_cases(cases)])
    paths = tuple(write_tests(folder, module_slug, good, origin))
    return Emitted(paths, tuple(good), tuple(dropped), trial.taken, trial.clean)


class _NoVerdict(Exception):
    """The run says nothing about a single case."""


@dataclass(slots=True)
class _Trial:
    """`clean` runs in a row had no problem, and each took `taken`."""

    folder: Path
    origin: Origin
    tryout: Tryout
    taken: Taken | None = None
    clean: int = 0
    _started: float = field(default_factory=time.monotonic)
    _hurried_at: float = 0.0
    _runs: int = 0
    _seen: Taken | None = None  # in the last run, if that was one of all cases

    def confirm(self, cases: list[TestCase]) -> tuple[list[TestCase], list[Dropped]]:
        """A case that failed once is replaced by its weaker form, or dropped; then all are tried anew."""
        dropped: list[Dropped] = []
        passed: set[TestCase] = set()
        while cases and self.clean < (1 if self._is_enough() else self.tryout.processes):
            if self._left() <= 0:
                late = "there was no time left to try it out"
                dropped += [Dropped(case, late) for case in cases if case not in passed]
                cases = [case for case in cases if case in passed]
                break
            self.tryout.show(f"trying out {len(cases):,} tests, run {self._runs + 1}")
            problems = self.problems(cases, self.tryout.timeout)
            if not any(problems.values()):
                self.taken = _common(self.taken, self._seen) if self.clean else self._seen
                self.clean += 1
            elif self._left() <= 0 and self.clean:
                break  # it held before; this time there was no time
            else:
                self.clean, self.taken = 0, None
            passed = {case for case in cases if not problems[case]}
            dropped += [Dropped(case, problems[case]) for case in cases if problems[case] and not case.weaker]
            cases = [case.weaker if problems[case] and case.weaker else case for case in cases]
            cases = [case for case in cases if not problems.get(case)]
        return cases, dropped

    def problems(self, cases: list[TestCase], timeout: float) -> dict[TestCase, str]:
        """What is wrong with each case, in a line; empty when it replays."""
        try:
            return self._problems(cases, timeout)
        except _NoVerdict as reason:
            if len(cases) == 1 or self._left() <= 0:
                return dict.fromkeys(cases, str(reason))
        half, shorter = len(cases) // 2, max(_SHORTEST, timeout / 2)
        found = self.problems(cases[:half], shorter) | self.problems(cases[half:], shorter)
        self._seen = None
        return found

    def _problems(self, cases: list[TestCase], timeout: float) -> dict[TestCase, str]:
        """Raises _NoVerdict."""
        result = self._run(cases, max(1.0, min(timeout, self._left())))
        said: dict[str, list[str]] = {}
        for test in result.tests:
            problem = "" if test.replays else f"{test.outcome}: {test.message}"
            said.setdefault(test.name.partition("[")[0], []).append(problem)
        names = dict(named_cases(cases))
        if result.error or said.keys() != names.keys():  # a file that cannot be imported counts as one test
            complaints = [problem for problems in said.values() for problem in problems if problem]
            raise _NoVerdict(result.error or "; ".join(complaints) or "pytest did not run it")
        self._seen = result.taken
        return {case: next(filter(None, said[name]), "") for name, case in names.items()}

    def _run(self, cases: list[TestCase], timeout: float) -> VerifyResult:
        _sweep(self.folder)
        self._runs += 1
        path = self.folder / f"{_TRIAL}{os.getpid()}.py"  # turns of a hunt try theirs out at the same time
        with removed_with_us(path):
            return self._verify(path, render_file(self.folder, cases, self.origin), timeout)

    def _verify(self, path: Path, source: str, timeout: float) -> VerifyResult:
        write_atomically(path, source)
        try:
            return verify(
                path,
                python=self.tryout.python,
                project=self.origin.root,
                timeout=timeout,
                allow=self.tryout.allow,
                memory_mb=self.tryout.memory_mb,
                stop=self._is_late,
                hash_seed=self._runs if self.tryout.processes > 1 else None,
                measured=self.tryout.measured,
                backwards=self._runs % 2 == 0,  # no test may need another one before it
                elsewhere=self._runs % 2 == 0,
            )
        finally:
            path.unlink(missing_ok=True)

    def _is_enough(self) -> bool:
        return self.tryout.hurry() or time.monotonic() - self._started >= self.tryout.enough

    def _left(self) -> float:
        return 0.0 if self._is_late() else self._started + self.tryout.seconds - time.monotonic()

    def _is_late(self) -> bool:
        """Whether Ctrl-C was pressed more than HURRIED seconds ago."""
        if not self.tryout.hurry():
            return False
        self._hurried_at = self._hurried_at or time.monotonic()
        return time.monotonic() - self._hurried_at > HURRIED


def _common(one: Taken | None, other: Taken | None) -> Taken | None:
    if one is None or other is None:
        return None
    return {file: arcs & other[file] for file, arcs in one.items()}


def _sweep(folder: Path) -> None:
    """Remove the trial files of processes that were killed."""
    for path in folder.glob(f"{_TRIAL}*.py"):
        number = path.stem.removeprefix(_TRIAL)
        try:
            os.kill(int(number), 0)
        except ProcessLookupError:
            path.unlink(missing_ok=True)
        except (ValueError, OverflowError, PermissionError):
            continue  # not ours
