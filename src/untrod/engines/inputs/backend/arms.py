"""Endless domains as a few options that can be learned.

A small domain is learned value by value. A large one is cut into *arms*: single values worth a try (ends of
the range, small numbers, special floats), values that occurred in valid inputs before (*learned* slots), and
buckets that stand for everything else of one kind. Learned slots and buckets come last and are open: the
same option gives another value next time.
"""

from __future__ import annotations

import math
import string
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any, Generic, TypeVar

from hypothesis.internal.conjecture.providers import COLLECTION_DEFAULT_MAX_SIZE, HypothesisProvider
from hypothesis.internal.intervalsets import IntervalSet

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
    low: float, high: float, permitted: Callable[[float], bool], default: Callable[[], float]
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
            return value if permitted(value) else default()

        return bucket

    buckets: list[tuple[float, Callable[[Random], float]]] = [
        (1.0, checked(lambda rng: float(rng.randint(0, 100)))),
        (1.0, checked(lambda rng: float(-rng.randint(1, 100)))),
        (1.0, checked(lambda rng: rng.random())),
        (1.0, checked(lambda rng: rng.uniform(-1000.0, 1000.0))),
        (4.0, lambda rng: default()),
    ]
    if math.isfinite(low) and math.isfinite(high) and math.isfinite(high - low):
        for part in range(4):
            buckets.append((1.0, checked(_uniform(low, high, part))))
    return arms_of(values or [default()], buckets)


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


# -- strings over large alphabets, and byte strings: by length and by kind of character ----------------------


_LENGTHS = (0, 1, 2, 4, 8)
_ALPHABETS = (string.ascii_lowercase, string.digits, string.ascii_letters + string.digits + " _-.")
_BYTES = (b"\x00", bytes(range(32, 127)), bytes(range(128, 256)), string.ascii_letters.encode())


def string_arms(intervals: IntervalSet, min_size: int, max_size: int, default: DefaultDraws) -> Arms[str]:
    """The empty or shortest strings one by one; then each kind of character at each length; then anything."""
    alphabets = [[letter for letter in letters if ord(letter) in intervals] for letters in _ALPHABETS]
    first = intervals.char_in_shrink_order(0)
    values = list(dict.fromkeys([first * min_size, *_one_more(first, min_size, max_size)]))
    buckets: list[tuple[float, Callable[[Random], str]]] = [
        (6.0, lambda rng: default.draw_string(intervals, min_size=min_size, max_size=max_size))
    ]
    for letters in alphabets:
        for size in _sizes(min_size, max_size):
            if letters and size:
                buckets.append((0.5, _text_of(letters, size)))
    return arms_of(values, buckets)


def bytes_arms(min_size: int, max_size: int, default: DefaultDraws) -> Arms[bytes]:
    values = list(dict.fromkeys([b"\x00" * min_size, *_one_more(b"\x00", min_size, max_size)]))
    buckets: list[tuple[float, Callable[[Random], bytes]]] = [
        (6.0, lambda rng: default.draw_bytes(min_size, max_size))
    ]
    for kinds in _BYTES:
        for size in _sizes(min_size, max_size):
            if size:
                buckets.append((0.5, _bytes_of(kinds, size)))
    return arms_of(values, buckets)


def _sizes(min_size: int, max_size: int) -> list[int]:
    sizes = {min(max(min_size, length), max_size) for length in _LENGTHS} | {min_size}
    return sorted(sizes)


def _one_more(unit: Any, min_size: int, max_size: int) -> list[Any]:
    return [unit * (min_size + 1)] if max_size > min_size else []


def _text_of(letters: list[str], size: int) -> Callable[[Random], str]:
    return lambda rng: "".join(rng.choice(letters) for _ in range(size))


def _bytes_of(kinds: bytes, size: int) -> Callable[[Random], bytes]:
    return lambda rng: bytes(rng.choice(kinds) for _ in range(size))


# -- Hypothesis's default distributions, without a `ConjectureData` ------------------------------------------
#
# `HypothesisProvider` lives for one test case and draws parts of strings and weighted integers through its
# data object. A provider that lives as long as the test function has none, and must not be asked again for
# the parts of what it is drawing.


_DEFAULT_ALPHABET = 256  # the first characters in shrink order: what Hypothesis draws four times out of five


class DefaultDraws(HypothesisProvider):
    """Draws as the default backend would, from a random generator of its own."""

    _random: Random

    def __init__(self, rng: Random) -> None:
        super().__init__(None)
        self._random = rng

    def draw_integer(
        self,
        min_value: int | None = None,
        max_value: int | None = None,
        *,
        weights: dict[int, float] | None = None,
        shrink_towards: int = 0,
    ) -> int:
        constraints: Any = {
            "min_value": min_value,
            "max_value": max_value,
            "weights": weights,
            "shrink_towards": shrink_towards,
        }
        constant = self._maybe_draw_constant("integer", constraints)
        if isinstance(constant, int):
            return constant
        if weights is not None:
            luck = self._random.random()
            for value, weight in weights.items():
                luck -= weight
                if luck < 0.0:
                    return value
        value = self._draw_integer_from_distribution(min_value, max_value)
        return int(value)

    def draw_string(
        self, intervals: IntervalSet, *, min_size: int = 0, max_size: int = COLLECTION_DEFAULT_MAX_SIZE
    ) -> str:
        if len(intervals) == 0:
            return ""
        constraints: Any = {"intervals": intervals, "min_size": min_size, "max_size": max_size}
        constant = self._maybe_draw_constant("string", constraints)
        if isinstance(constant, str):
            return constant
        size = self.draw_size(min_size, max_size)
        return "".join(intervals.char_in_shrink_order(self._index(len(intervals))) for _ in range(size))

    def draw_bytes(self, min_size: int = 0, max_size: int = COLLECTION_DEFAULT_MAX_SIZE) -> bytes:
        constant = self._maybe_draw_constant("bytes", {"min_size": min_size, "max_size": max_size})
        if isinstance(constant, bytes):
            return constant
        return self._random.randbytes(self.draw_size(min_size, max_size))

    def draw_size(self, min_size: int, max_size: int) -> int:
        """Geometric with the mean that Hypothesis gives its collections."""
        go_on = continue_probability(min_size, max_size)
        size = min_size
        while size < max_size and self._random.random() < go_on:
            size += 1
        return size

    def _index(self, characters: int) -> int:
        if characters > _DEFAULT_ALPHABET and self._random.random() < 0.2:
            return self._random.randint(_DEFAULT_ALPHABET, characters - 1)
        return self._random.randint(0, min(characters, _DEFAULT_ALPHABET) - 1)


def continue_probability(min_size: int, max_size: int) -> float:
    if max_size <= min_size:
        return 0.0
    average = min(max(min_size * 2, min_size + 5), 0.5 * (min_size + max_size))
    return 1.0 - 1.0 / (1.0 + average - min_size)
