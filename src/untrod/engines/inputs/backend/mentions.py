"""What the lines that reject inputs mention.

`assume(order["kind"] == "gift")` says no to a thousand orders, and says why: it names the value it wants. As
long as nothing at all is valid, elements of `sampled_from` that a rejecting call mentions as constants are
drawn more often. The first valid input ends this: from then on, what is valid is learned from valid inputs.
"""

from __future__ import annotations

import dis
from collections.abc import Iterator
from types import CodeType, TracebackType
from typing import Any

from untrod.engines.inputs.backend.names import shown
from untrod.engines.inputs.footprint import is_code

_FAVOUR = 4.0
"""How much more often. With 8, no more seeds found lambda terms within 458 attempts."""
_MOST = 1_000  # calls that are looked at, and lists of elements: a bound of memory


class Mentions:
    """One per run of a test. `add` what rejected, ask for the `preference` among elements, `forget`."""

    def __init__(self) -> None:
        self.words: set[str] = set()
        self._calls: set[tuple[CodeType, int]] = set()
        self._preferences: dict[tuple[str, ...], list[float] | None] = {}

    def add(self, error: BaseException | None) -> None:
        """`error` is what an input was rejected with."""
        call = None if error is None else _call_of(error.__traceback__)
        if call is None or call in self._calls or len(self._calls) >= _MOST:
            return
        self._calls.add(call)
        mentioned = {shown(constant) for constant in _constants(*call)}
        if not mentioned <= self.words:
            self.words |= mentioned
            self._preferences.clear()

    def preference(self, elements: tuple[str, ...]) -> list[float] | None:
        """Weights for `elements`; None when all are alike."""
        if elements not in self._preferences and len(self._preferences) < _MOST:
            named = [element in self.words for element in elements]
            weights = [_FAVOUR if is_named else 1.0 for is_named in named]
            self._preferences[elements] = weights if any(named) and not all(named) else None
        return self._preferences.get(elements)

    def forget(self) -> None:
        self.words.clear()
        self._preferences.clear()


def _call_of(trace: TracebackType | None) -> tuple[CodeType, int] | None:
    """The innermost call in the target's code: where it is made."""
    call = None
    while trace is not None:
        if is_code(trace.tb_frame.f_code.co_filename):
            call = (trace.tb_frame.f_code, trace.tb_lasti)
        trace = trace.tb_next
    return call


def _constants(code: CodeType, offset: int) -> Iterator[Any]:
    """All constants between the brackets of the call, also those in a generator expression there."""
    first, last = list(code.co_positions())[offset // 2][:2]
    if first is None or last is None:
        return
    for instruction in dis.get_instructions(code):
        positions = instruction.positions
        line = None if positions is None else positions.lineno
        if instruction.opname == "LOAD_CONST" and line is not None and first <= line <= last:
            yield from _flat(instruction.argval)


def _flat(constant: Any) -> Iterator[Any]:
    if isinstance(constant, CodeType):
        constant = constant.co_consts
    if isinstance(constant, tuple | frozenset):
        for part in constant:
            yield from _flat(part)
    elif isinstance(constant, str | bytes | int | float) and not isinstance(constant, bool):
        yield constant
