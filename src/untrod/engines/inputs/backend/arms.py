"""Endless domains as a few options that can be learned.

A small domain is learned value by value. A large one is cut into *arms*: single values worth a try (ends of
the range, small numbers, special floats), values that occurred in valid inputs before (*learned* slots), and
buckets that stand for everything else of one kind. Learned slots and buckets come last and are open: the
same option gives another value next time.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any, Generic, TypeVar

V = TypeVar("V")

SLOTS = 6
_SEGMENTS = 8
_SEGMENTED = 1 << 20
_MAGNITUDES = (0, 8, 16, 32, 64, 128)


@dataclass(frozen=True, slots=True)
class Arms(Generic[V]):
    """`values` first, then `SLOTS` learned slots, then `buckets`; `weights` is the order's preference."""

    values: tuple[V, ...]
    buckets: tuple[Callable[[Random], V], ...]
    weights: tuple[float, ...]

    @property
    def options(self) -> int:
        return len(self.weights)

    @property
    def open(self) -> int:
        return SLOTS + len(self.buckets)

    def draw(self, option: int, learned: list[V], rng: Random) -> V:
        """The value of `option`. An empty slot gives what a bucket gives."""
        if option < len(self.values):
            return self.values[option]
        slot = option - len(self.values)
        if slot < SLOTS:
            if slot < len(learned):
                return learned[slot]
            slot = SLOTS + int(rng.random() * len(self.buckets))
        return self.buckets[slot - SLOTS](rng)


def arms_of(values: list[V], buckets: list[tuple[float, Callable[[Random], V]]]) -> Arms[V]:
    """A fifth of the weight goes to the single values, a fifth to what was learned, the rest to buckets."""
    total = sum(weight for weight, _ in buckets)
    weights = [0.2 / len(values)] * len(values)
    weights += [0.2 / SLOTS] * SLOTS
    weights += [0.6 * weight / total for weight, _ in buckets]
    return Arms(tuple(values), tuple(bucket for _, bucket in buckets), tuple(weights))


def integer_arms(low: int | None, high: int | None, towards: int) -> Arms[int]:
    """Ends and small numbers; equal segments of a moderate range, magnitudes of a huge one."""
    wanted = [towards, 0, 1, -1, 2, 10, 100]
    wanted += [] if low is None else [low, low + 1]
    wanted += [] if high is None else [high, high - 1]

    def fits(value: int) -> bool:
        return (low is None or value >= low) and (high is None or value <= high)

    values = [value for value in dict.fromkeys(wanted) if fits(value)]
    if low is not None and high is not None and high - low < _SEGMENTED:
        return arms_of(values, [(1.0, _between(*ends)) for ends in _segments(low, high)])
    buckets = [(weight, _between(*ends)) for weight, ends in _magnitudes(low, high)]
    return arms_of(values, buckets)


def _segments(low: int, high: int) -> list[tuple[int, int]]:
    width = high - low + 1
    edges = [low + width * part // _SEGMENTS for part in range(_SEGMENTS + 1)]
    return [(first, last - 1) for first, last in pairwise(edges) if last > first]


def _magnitudes(low: int | None, high: int | None) -> list[tuple[float, tuple[int, int]]]:
    """Ranges of like size on both sides of zero, cut to what is allowed; never empty."""
    found = []
    for small, large in pairwise(_MAGNITUDES):
        first, last = (1 << small) - (small == 0), (1 << large) - 1
        for ends in ((first, last), (-last, -max(first, 1))):
            cut = (
                ends[0] if low is None else max(ends[0], low),
                ends[1] if high is None else min(ends[1], high),
            )
            if cut[0] <= cut[1]:
                found.append((1.0 if large > 16 else 3.0, cut))
    if not found:  # the whole range lies beyond 2**128
        start = low if low is not None else (high or 0) * 2
        end = high if high is not None else start * 2
        found.append((1.0, (min(start, end), max(start, end))))
    return found


def _between(first: int, last: int) -> Callable[[Random], int]:
    return lambda rng: rng.randint(first, last)


def float_arms(
    low: float, high: float, permitted: Callable[[float], bool], plain: Callable[[], float]
) -> Arms[float]:
    """Special values one by one; integral, fractional, negative and arbitrary ones as buckets."""
    wanted = [0.0, -0.0, 1.0, -1.0, 0.5, low, high, math.inf, -math.inf, math.nan]
    values: list[float] = []
    for value in wanted:
        if permitted(value) and not any(_same(value, other) for other in values):
            values.append(value)

    def checked(draw: Callable[[Random], float]) -> Callable[[Random], float]:
        def bucket(rng: Random) -> float:
            value = draw(rng)
            return value if permitted(value) else plain()

        return bucket

    buckets: list[tuple[float, Callable[[Random], float]]] = [
        (1.0, checked(lambda rng: float(rng.randint(0, 100)))),
        (1.0, checked(lambda rng: float(-rng.randint(1, 100)))),
        (1.0, checked(lambda rng: rng.random())),
        (1.0, checked(lambda rng: rng.uniform(-1000.0, 1000.0))),
        (4.0, lambda rng: plain()),
    ]
    if math.isfinite(low) and math.isfinite(high) and math.isfinite(high - low):
        for part in range(4):
            buckets.append((1.0, checked(_uniform(low, high, part))))
    return arms_of(values or [plain()], buckets)


def _uniform(low: float, high: float, part: int) -> Callable[[Random], float]:
    width = (high - low) / 4.0
    return lambda rng: low + width * (part + rng.random())


def _same(one: float, other: float) -> bool:
    return (math.isnan(one) and math.isnan(other)) or (
        one == other and math.copysign(1.0, one) == math.copysign(1.0, other)
    )


def remember(pool: list[Any], value: Any, rng: Random) -> None:
    """Keep `value` in one of the slots."""
    if value in pool:
        return
    if len(pool) < SLOTS:
        pool.append(value)
    else:
        pool[int(rng.random() * SLOTS)] = value
