"""Changes to a row of numbers that keep some of its structure: what a costly input is made of.

Worst cases are rarely noise. They are sorted, repeated, alternating, equal but for the last. So besides
changing a single value, a mutation orders, reverses, copies or repeats a stretch. Every mutation gets the
row, the stretch of one field it may change, and the random stream, and changes the row in place. `Limits`
keeps each value within its field.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from untrod.engines.worst.arena import Field

Row = list[int]
Mutation = Callable[[Row, range, Random], None]


class Limits:
    """The values that each place of a row may have, and the structured rows to begin with."""

    def __init__(self, fields: Sequence[Field]) -> None:
        self.stretches: list[range] = []
        self.lows: list[int | None] = []
        self.highs: list[int | None] = []
        self._kinds: list[Callable[[int], Any]] = []
        for field in fields:
            start = len(self.lows)
            self.lows += [field.low] * field.length
            self.highs += [field.high] * field.length
            self._kinds += [chr if field.kind is str else field.kind] * field.length
            if field.length:
                self.stretches.append(range(start, start + field.length))

    def __len__(self) -> int:
        return len(self.lows)

    def leaves(self, row: Row) -> list[Any]:
        """The values that these numbers stand for."""
        return [kind(number) for kind, number in zip(self._kinds, row, strict=True)]

    def clamp(self, row: Row, stretch: range | None = None) -> None:
        """The whole row, or the stretch that has changed."""
        for place in range(len(row)) if stretch is None else stretch:
            low, high = self.lows[place], self.highs[place]
            if low is not None and row[place] < low:
                row[place] = low
            elif high is not None and row[place] > high:
                row[place] = high

    def starts(self) -> list[Row]:
        """Rows with a pattern in every field: equal, rising, falling, alternating, a peak, equal but one."""
        patterns: list[Callable[[int, int], int]] = [
            lambda place, length: 0,
            lambda place, length: place,
            lambda place, length: length - 1 - place,
            lambda place, length: place % 2,
            lambda place, length: min(place, length - 1 - place),
            lambda place, length: int(place == length - 1),
            lambda place, length: int(place > 0),
        ]
        rows = [self._patterned([pattern] * len(self.stretches)) for pattern in patterns]
        if len(self.stretches) == 2:
            rows += [self._patterned([patterns[0], pattern]) for pattern in patterns[1:]]
        elif len(self.stretches) > 2:
            rows += [self._across(pattern) for pattern in _ACROSS]
        return rows

    def _across(self, pattern: Callable[[int, int], int]) -> Row:
        """Many fields, as the rows of a matrix: a pattern over both indices, pressed into the bounds."""
        row = []
        for number, stretch in enumerate(self.stretches):
            low, high = self.lows[stretch.start], self.highs[stretch.start]
            base = low if low is not None else min(0, high) if high is not None else 0
            most = max(len(stretch), len(self.stretches)) ** 2
            for place in range(len(stretch)):
                value = pattern(number, place)
                row.append(
                    base + (value if high is None or most <= high - base else value * (high - base) // most)
                )
        self.clamp(row)
        return row

    def _patterned(self, patterns: Sequence[Callable[[int, int], int]]) -> Row:
        row = []
        for stretch, pattern in zip(self.stretches, patterns, strict=True):
            low, high = self.lows[stretch.start], self.highs[stretch.start]
            base = low if low is not None else min(0, high) if high is not None else 0
            reach = None if high is None else high - base + 1
            for place in range(len(stretch)):
                value = pattern(place, len(stretch))
                if reach is not None and reach < len(stretch) > 2:
                    value = value * reach // len(stretch) if value > 1 else value
                row.append(base + value)
        self.clamp(row)
        return row

    def stretched(self, old: Sequence[Row]) -> list[Row]:
        """What was costly at another size, field by field: each value repeated, and the whole repeated."""
        if len(old) != len(self.stretches) or not all(old):
            return []
        pulled, tiled = [], []
        for stretch, values in zip(self.stretches, old, strict=True):
            length = len(stretch)
            pulled += [values[place * len(values) // length] for place in range(length)]
            tiled += [values[place % len(values)] for place in range(length)]
        for row in (pulled, tiled):
            self.clamp(row)
        return [pulled, tiled]

    def random_value(self, place: int, row: Row, rng: Random) -> int:
        low, high = self.lows[place], self.highs[place]
        if low is None:
            low = min(row) - 1 if high is None else high - len(row)
        return rng.randint(low, max(row) + 1 if high is None else high)


_ACROSS: tuple[Callable[[int, int], int], ...] = (
    lambda row, column: abs(row - column),
    lambda row, column: (row - column) ** 2,
    lambda row, column: row * column,
    lambda row, column: row + column,
)
"""In a graph's matrix the first two are nodes on a line: a detour costs nothing, or saves."""


def swap(row: Row, stretch: range, rng: Random) -> None:
    a, b = rng.choice(stretch), rng.choice(stretch)
    row[a], row[b] = row[b], row[a]


def move(row: Row, stretch: range, rng: Random) -> None:
    value = row.pop(rng.choice(stretch))
    row.insert(rng.choice(stretch), value)


def copy(row: Row, stretch: range, rng: Random) -> None:
    """A value from anywhere, another field included: `text` made of the letters of `pattern`."""
    row[rng.choice(stretch)] = row[rng.randrange(len(row))]


def nudge(row: Row, stretch: range, rng: Random) -> None:
    """Just above or below some value of the row: only the order of values may matter."""
    row[rng.choice(stretch)] = row[rng.randrange(len(row))] + rng.choice((-1, 1))


def leap(row: Row, stretch: range, rng: Random) -> None:
    """A power of two away from some value: what looks different, and is the same to a hash table."""
    row[rng.choice(stretch)] = row[rng.randrange(len(row))] + (rng.choice((-1, 1)) << rng.randint(1, 16))


def extreme(row: Row, stretch: range, rng: Random) -> None:
    row[rng.choice(stretch)] = rng.choice((min(row) - 1, max(row) + 1))


def fill(row: Row, stretch: range, rng: Random) -> None:
    part = _part(stretch, rng)
    row[part] = [row[rng.choice(stretch)]] * (part.stop - part.start)


def sort(row: Row, stretch: range, rng: Random) -> None:
    part = _part(stretch, rng)
    row[part] = sorted(row[part], reverse=rng.random() < 0.5)


def reverse(row: Row, stretch: range, rng: Random) -> None:
    part = _part(stretch, rng)
    row[part] = row[part][::-1]


def rotate(row: Row, stretch: range, rng: Random) -> None:
    part = _part(stretch, rng)
    by = rng.randrange(part.stop - part.start)
    row[part] = row[part][by:] + row[part][:by]


def transplant(row: Row, stretch: range, rng: Random) -> None:
    """A part from anywhere over a part of this stretch."""
    part = _part(stretch, rng)
    length = part.stop - part.start
    start = rng.randrange(len(row) - length + 1)
    row[part] = row[start : start + length]


def repeat(row: Row, stretch: range, rng: Random) -> None:
    """A short block, over and over."""
    part = _part(stretch, rng)
    length = part.stop - part.start
    block = row[part][: rng.randint(1, min(4, length))]
    row[part] = (block * length)[:length]


def stride(row: Row, stretch: range, rng: Random) -> None:
    """Equal steps, a power of two each: far apart, and neighbours or the same to whatever counts modulo."""
    part = _part(stretch, rng)
    first, step = row[rng.randrange(len(row))], rng.choice((-1, 1)) << rng.randint(0, 12)
    row[part] = [first + step * place for place in range(part.stop - part.start)]


MUTATIONS: tuple[Mutation, ...] = (
    swap,
    move,
    copy,
    nudge,
    leap,
    extreme,
    fill,
    sort,
    reverse,
    rotate,
    transplant,
    repeat,
    stride,
)


def _part(stretch: range, rng: Random) -> slice:
    a, b = sorted((rng.choice(stretch), rng.choice(stretch)))
    return slice(a, b + 1)
