"""What a subject is: a Hypothesis strategy, a validity check that rejects most of it, and bugs behind it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from types import FrameType
from typing import Any, TypeAlias

from hypothesis.strategies import SearchStrategy

Assume: TypeAlias = Callable[[Any], object]
"""`hypothesis.assume` inside a test; `require` outside."""

Trace: TypeAlias = frozenset[tuple[Any, int]]
"""The paper's measure of diversity: what was executed, and how often in powers of two."""


class Rejected(Exception):
    """The value is not valid. Raised by `require`."""


def require(condition: Any) -> None:
    """`assume` for use outside a Hypothesis test."""
    if not condition:
        raise Rejected


@dataclass(frozen=True)
class Bug:
    """A seeded bug behind the validity check: it shows on the valid values that `triggers` accepts."""

    name: str
    triggers: Callable[[Any], bool]


@dataclass(frozen=True)
class Subject:
    """All contenders get the same `strategy` and `check`; only the ceiling, `construct`, knows the rules.

    - `check(value, assume)` is written as people write it: `assume` lines, staged where that is natural;
    - `construct(random)` returns a valid value that the strategy could have produced;
    - `admits(value)` says whether the strategy could produce the value, valid or not;
    - `bugs` go from common to rare;
    - `trace(value)` runs the validator or a consumer of valid values and says which way it went.
    """

    name: str
    strategy: SearchStrategy[Any]
    check: Callable[[Any, Assume], None]
    construct: Callable[[Random], Any]
    admits: Callable[[Any], bool]
    trace: Callable[[Any], Trace]
    bugs: tuple[Bug, ...]
    canonical: Callable[[Any], str] = field(default=repr)

    def valid(self, value: Any) -> bool:
        try:
            self.check(value, require)
        except Rejected:
            return False
        return True


def bucketed(counts: Counter[Any]) -> Trace:
    """1, 2-3, 4-7, ... times are the same count."""
    return frozenset((what, times.bit_length()) for what, times in counts.items())


def branch_trace(consume: Callable[[Any], object]) -> Callable[[Any], Trace]:
    """Traces `consume`: the jumps between lines, in it and in everything it calls from the same file."""
    home = consume.__code__.co_filename

    def trace(value: Any) -> Trace:
        arcs: Counter[tuple[str, int, int]] = Counter()

        def enter(frame: FrameType, event: str, argument: Any) -> Any:
            if frame.f_code.co_filename != home:
                return None
            name, before = frame.f_code.co_name, 0

            def line(frame: FrameType, event: str, argument: Any) -> Any:
                nonlocal before
                if event == "line":
                    arcs[name, before, frame.f_lineno] += 1
                    before = frame.f_lineno
                return line

            return line

        previous = sys.gettrace()
        sys.settrace(enter)
        try:
            consume(value)
        finally:
            sys.settrace(previous)
        return bucketed(arcs)

    return trace
