"""What is decided on a path.

A condition on one byte of the input is a set of values for it, as 256 bits: whatever the code looks like
that asks, the same set is the same condition, and needs no solver. All others are terms.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from untrod.symbolic.native.evaluate import evaluate, values
from untrod.symbolic.native.terms import Term
from untrod.symbolic.ranges import Ranges

ALL = (1 << 256) - 1
_MOST_COLUMNS = 2_000


class NativeCondition:
    """`mask` is the set of values of the byte `variable`; where `variable` is None, `term` says it."""

    __slots__ = ("_names", "key", "mask", "term", "variable", "vars")

    def __init__(
        self, key: int, names: tuple[str, ...], term: Term | None, variable: int | None, mask: int
    ) -> None:
        self.key = key
        self.term = term
        self.variable = variable
        self.mask = mask
        self.vars = 1 << variable if variable is not None else term.vars if term is not None else 0
        self._names = names

    def holds(self, flat: bytes | bytearray) -> bool:
        """For the input with these bytes."""
        if self.variable is not None:
            return bool(self.mask >> flat[self.variable] & 1)
        return bool(evaluate(self.term, flat))

    def values(self, side: bool) -> int:
        """Of the byte, as bits, when the condition is `side`."""
        return self.mask if side else ALL & ~self.mask

    def ranges(self) -> tuple[str, Ranges] | None:
        if self.variable is None:
            return None
        return self._names[self.variable], tuple(intervals(self.mask))

    def atom(self, side: bool) -> str | None:
        """`arg1[0] == 0x2d`, `stdin[3] in 0x30-0x39`; None where more than one byte decides."""
        if self.variable is None:
            return None
        name, mask = self._names[self.variable], self.values(side)
        if mask.bit_count() == 255:
            return f"{name} != {next(intervals(ALL & ~mask))[0]:#04x}"
        ranges = [
            f"{low:#04x}" if low == high else f"{low:#04x}-{high:#04x}" for low, high in intervals(mask)
        ]
        if len(ranges) == 1 and "-" not in ranges[0]:
            return f"{name} == {ranges[0]}"
        return f"{name} in {','.join(ranges)}"

    def smt2(self) -> str:
        if self.variable is not None:
            return self.atom(True) or ""
        return _spoken(self.term, self._names)


class Conditions:
    """Equal conditions are the same object."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names
        self._terms: dict[Term, NativeCondition] = {}
        self._masks: dict[tuple[int, int], NativeCondition] = {}
        self._keys = count(1)
        self._columns: dict[Term, list[int]] = {}
        """Conditions of a program have much in common."""

    def __len__(self) -> int:
        return len(self._terms)

    def of(self, term: Term) -> NativeCondition:
        found = self._terms.get(term)
        if found is None:
            if term.vars & (term.vars - 1):
                found = NativeCondition(next(self._keys), self._names, term, None, 0)
            else:
                if len(self._columns) > _MOST_COLUMNS:
                    self._columns.clear()
                mask = sum(1 << byte for byte, truth in enumerate(values(term, self._columns)) if truth)
                found = self.among(term.vars.bit_length() - 1, mask)
            self._terms[term] = found
        return found

    def among(self, variable: int, mask: int) -> NativeCondition:
        """The byte has one of these values."""
        found = self._masks.get((variable, mask))
        if found is None:
            found = self._masks[variable, mask] = NativeCondition(
                next(self._keys), self._names, None, variable, mask
            )
        return found

    def forget(self) -> None:
        """Together with the terms. Sets of bytes stay what they are."""
        self._terms.clear()
        self._columns.clear()


def intervals(mask: int) -> Iterator[tuple[int, int]]:
    """The runs of ones, lowest first: (first, last)."""
    at = 0
    while mask:
        skip = (mask & -mask).bit_length() - 1
        mask >>= skip
        at += skip
        ones = (~mask & (mask + 1)).bit_length() - 1
        yield at, at + ones - 1
        mask >>= ones
        at += ones


def _spoken(value: object, names: tuple[str, ...]) -> str:
    if not isinstance(value, Term):
        return str(value)
    if value.op == "var":
        return names[value.args[0]]
    return f"({value.op} {' '.join(_spoken(arg, names) for arg in value.args)})"
