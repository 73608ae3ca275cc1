"""The program under test, and every real run of it: what `cover.subject` is for Python.

The variant that counts branches is run on every input: what it takes is covered. The variant with sanitizers
is slower, and is run where something new can be hoped for: an input that took branches which never were taken
together, one that crashed, or one that is replayed.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from untrod.core.protocols import Beacon
from untrod.core.vocabulary import Json, Outcome
from untrod.engines.cover.case import CallResult, Case, Input
from untrod.engines.cover.native.branch_map import NativeBranchMap
from untrod.engines.cover.native.build import Programs
from untrod.engines.cover.native.drawing import NativeDrawer
from untrod.engines.cover.native.inputs import as_values, command_line
from untrod.engines.cover.native.stage import Ran, Stage
from untrod.engines.cover.native.target import NativeTarget
from untrod.engines.cover.native.verdict import (
    Completed,
    Crashed,
    Hung,
    as_finding,
    completed,
    crash_of,
    report_of,
    signal_name,
)
from untrod.engines.cover.under_test import InputRun
from untrod.source.nodes import Atom, Display, Text
from untrod.symbolic.native.fields import Values

MOST_SIGNATURES = 200_000
HANGS, HASTE = 2, 10
"""After so many hangs, runs have a tenth of the time."""
BY_SANITIZER, BY_SIGNAL = "sanitizer", "signal"
"""The kinds of errors that an outcome can have."""
_TEXT = 200


@dataclass
class NativeSubject:
    target: NativeTarget
    programs: Programs
    stage: Stage
    branch_map: NativeBranchMap
    beacon: Beacon
    seconds: float
    imported: int = 0
    runs: int = 0
    valid: int = 0
    untested: set[int] = field(default_factory=set)
    passed_over: set[int] = field(default_factory=set)
    left_over: int = 0
    """Processes that the program had started, and that had to be killed."""
    checks_all: bool = False
    """The variant with sanitizers is run on every input: what only that one shows must show again."""
    _signatures: set[int] = field(default_factory=set)
    _hung: int = 0

    @property
    def drawers(self) -> Mapping[str, Any]:
        return {self.target.entry: NativeDrawer(self.target)}

    @property
    def taken(self) -> Mapping[str, Any]:
        """Lines are the executor's business here."""
        return {}

    def cpu(self) -> float:
        """Seconds that this process and all real runs have used."""
        return time.process_time() + self.stage.cpu

    def begin(self) -> int:
        number = self.runs
        self.runs += 1
        self.beacon.begin(number)
        return number

    def run(self, given: Input, number: int | None = None) -> InputRun:
        number = self.begin() if number is None else number
        self.beacon.trace(given.octets())
        values = as_values(given, self.target.fields)
        if values is None or number in self.untested:
            self.beacon.end()
            return InputRun(given, valid=False, number=number)
        ran = self._perform(values, self.programs.covered)
        error: BaseException | None = crash_of(ran)
        arcs = self.branch_map.bits(ran.counts or {})
        if ran.timed_out:
            self._hung += 1
            error = Hung(self.seconds, alone=not ran.left)
        elif self._is_worth_checking(arcs, error):
            error = self._checked(values) or error
        self.beacon.end()
        self.valid += 1
        return InputRun(given, arcs, True, completed(ran), "", error, (), number)

    def unreached(self, covered: int) -> list[str]:
        return []

    def forget_caches(self) -> None:
        """There are none: every run is a process of its own."""

    def instead(self, run: InputRun) -> Iterable[Input]:
        """No guard refuses a program anything."""
        return ()

    def case(self, run: InputRun, by: str) -> tuple[Case, int]:
        return Case(run.given, _result(run), self.branch_map.named(run.arcs), by), run.arcs

    def finding(self, run: InputRun) -> dict[str, Json] | None:
        if run.error is None or not run.valid:
            return None
        values = as_values(run.given, self.target.fields)
        command = command_line(values, self.target) if values is not None else str(run.given)
        return {**as_finding(run.error, command), "value": {"text": command[:2_000]}}

    def outcome(self, run: InputRun) -> Outcome:
        if not run.valid:
            return Outcome.INVALID
        if run.error is None:
            return Outcome.VALID
        return Outcome.CRASHED if isinstance(run.error, Crashed) else Outcome.TIMED_OUT

    def rerun(self, given: Input) -> InputRun:
        """With sanitizers, whatever it took."""
        self.checks_all = True
        try:
            return self.run(given)
        finally:
            self.checks_all = False

    def stable_case(self, run: InputRun) -> Case | None:
        return self.case(run, "replay")[0]

    @property
    def about(self) -> Json:
        return None

    def uncallable(self) -> Mapping[str, str]:
        """None: whatever the bytes are, the program can be called."""
        return {}

    def close(self) -> None:
        self.stage.close()

    def _perform(self, values: Values, program: Path, limited: bool = True) -> Ran:
        fields = self.target.fields
        place = fields.stdin_place
        files = {name: values[place + 1 + number] for number, (name, _) in enumerate(fields.files)}
        ran = self.stage.run(
            program, fields.argv(values), values[place], files, seconds=self._patience, limited=limited
        )
        self.left_over += ran.left
        return ran

    @property
    def _patience(self) -> float:
        """Where one input hangs, many do: once that is known, less is enough."""
        return self.seconds if self._hung < HANGS else self.seconds / HASTE

    def _is_worth_checking(self, arcs: int, error: BaseException | None) -> bool:
        if self.programs.checked is None:
            return False
        signature = hash(arcs)
        new = signature not in self._signatures
        if new and len(self._signatures) < MOST_SIGNATURES:
            self._signatures.add(signature)
        return new or error is not None or self.checks_all

    def _checked(self, values: Values) -> BaseException | None:
        assert self.programs.checked is not None
        ran = self._perform(values, self.programs.checked, limited=False)
        return None if ran.timed_out else report_of(ran)


def _result(run: InputRun) -> CallResult:
    done = run.value
    assert isinstance(done, Completed)
    pinned = Display("(", (Atom(str(done.status)), Text(done.stdout), Text(done.stderr)))
    value = pinned if done.repeated else None
    if isinstance(run.error, Crashed):
        error = (BY_SANITIZER if run.error.by_sanitizer else BY_SIGNAL, run.error.kind)
        return CallResult(error, value, run.error.what, place=run.error.place, suspect=True)
    text = f"({_status(done.status)}, {done.stdout[:_TEXT]!r})"
    return CallResult(None, value, text)


def _status(status: int) -> str:
    return str(status) if status >= 0 else signal_name(-status)
