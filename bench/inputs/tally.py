"""Counts what one contender does on one subject: every attempt, every valid value, every bug."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from bench.inputs.subjects.base import Subject, Trace


class Finished(KeyboardInterrupt):
    """The attempts or the CPU time are used up. A KeyboardInterrupt, because frameworks let those through."""


@dataclass
class Tally:
    """CPU time is the contender's own: what the tally itself spends is taken off."""

    subject: Subject
    attempts_allowed: int
    cpu_allowed: float
    attempts: int = 0
    valid: int = 0
    first_valid: int | None = None
    found: dict[str, tuple[int, float]] = field(default_factory=dict)  # bug: attempt, CPU seconds
    overhead: float = 0.0

    def __post_init__(self) -> None:
        self._unique: set[str] = set()
        self._traces: set[Trace] = set()
        self.restart_clock()

    def restart_clock(self) -> None:
        """What was spent so far was preparation."""
        self.started = time.process_time()

    @property
    def cpu(self) -> float:
        return time.process_time() - self.started - self.overhead

    def attempt(self) -> None:
        """The contender starts to make a value; raises Finished instead when it has had its share."""
        if self.attempts >= self.attempts_allowed or self.cpu > self.cpu_allowed:
            raise Finished
        self.attempts += 1

    def accept(self, value: Any) -> None:
        """The value of this attempt is valid."""
        paused = time.process_time()
        self.valid += 1
        if self.first_valid is None:
            self.first_valid = self.attempts
        key = self.subject.canonical(value)
        if key not in self._unique:
            self._unique.add(key)
            self._traces.add(self.subject.trace(value))
            spent = paused - self.started - self.overhead
            for bug in self.subject.bugs:
                if bug.name not in self.found and bug.triggers(value):
                    self.found[bug.name] = (self.attempts, spent)
        self.overhead += time.process_time() - paused

    def to_json(self) -> dict[str, Any]:
        return {
            "attempts": self.attempts,
            "valid": self.valid,
            "unique": len(self._unique),
            "traces": len(self._traces),
            "first_valid": self.first_valid,
            "bugs": self.found,
            "cpu": self.cpu,
        }
