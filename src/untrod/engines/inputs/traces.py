"""Characteristics beyond the value: the shape of an input, and the path it takes through the code.

`by_shape` tells inputs apart by their structure alone: types, lengths, nesting. `Traced` tells them apart by
which branches of the user's modules they run and how often, with counts in powers of two: the measure of
the RLCheck study. Both fit wherever a `Characteristic` is asked for.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable
from types import CodeType, FrameType, TracebackType
from typing import Any

_MAX_DEPTH = 12


def by_shape(value: Any, answers: list[int]) -> Hashable:
    """Types, lengths and nesting of the value; what stands at the leaves does not count."""
    return _shape(value, 0)


def _shape(value: Any, depth: int) -> Hashable:
    kind = type(value).__name__
    if depth >= _MAX_DEPTH:
        return kind
    if isinstance(value, dict):
        return (kind, *((key, _shape(part, depth + 1)) for key, part in sorted(value.items(), key=repr)))
    if isinstance(value, list | tuple):
        return (kind, *(_shape(part, depth + 1) for part in value))
    if isinstance(value, str | bytes):
        return (kind, _power(len(value)))
    return kind


class Tracer:
    """Counts the branches (pairs of lines run one after the other) of some modules while it is entered.

    A tracer that is already set, by a debugger or a coverage tool, is put back afterwards; while this one
    is entered, it sees nothing.
    """

    def __init__(self, modules: Iterable[str]) -> None:
        """`modules` are the files whose code counts."""
        self._files = frozenset(modules)
        self._arcs: dict[tuple[str, int, int], int] = {}
        self._last: dict[FrameType, int] = {}
        self._before: Any = None

    def __enter__(self) -> Tracer:
        self._arcs.clear()
        self._before = sys.gettrace()
        sys.settrace(self._on_call)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        sys.settrace(self._before)
        self._last.clear()

    def key(self) -> Hashable:
        """The branches taken, each with its count rounded down to a power of two."""
        return frozenset((arc, _power(count)) for arc, count in self._arcs.items())

    def _on_call(self, frame: FrameType, event: str, argument: Any) -> Any:
        code: CodeType = frame.f_code
        if code.co_filename not in self._files:
            return None
        self._last[frame] = -code.co_firstlineno
        return self._on_line

    def _on_line(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            line = frame.f_lineno
            arc = (frame.f_code.co_filename, self._last.get(frame, 0), line)
            self._arcs[arc] = self._arcs.get(arc, 0) + 1
            self._last[frame] = line
        elif event == "return":
            self._last.pop(frame, None)
        return self._on_line


class Traced:
    """A characteristic: what running `check` on the value does in `modules`. Exceptions are part of it."""

    def __init__(self, check: Callable[[Any], Any], modules: Iterable[str]) -> None:
        self._check = check
        self._tracer = Tracer(modules)

    def __call__(self, value: Any, answers: list[int]) -> Hashable:
        raised = ""
        with self._tracer:
            try:
                self._check(value)
            except Exception as error:  # how the code under test ends is data here, not an error of ours
                raised = type(error).__name__
        return (raised, self._tracer.key())


def by_function(function: Callable[[Any], Hashable]) -> Callable[[Any, list[int]], Hashable]:
    """The user's own characteristic of the value."""
    return lambda value, answers: function(value)


def _power(count: int) -> int:
    return count.bit_length()
