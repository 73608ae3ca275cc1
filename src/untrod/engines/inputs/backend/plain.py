"""Hypothesis's own distributions, drawn without a `ConjectureData`.

`HypothesisProvider` lives for one test case and draws parts of strings and weighted integers through its
data object. A provider that lives as long as the test function has none, and must not be asked again for
the parts of what it is drawing.
"""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis.internal.conjecture.providers import COLLECTION_DEFAULT_MAX_SIZE, HypothesisProvider
from hypothesis.internal.intervalsets import IntervalSet

_PLAIN_ALPHABET = 256  # the first characters in shrink order: what Hypothesis draws four times out of five


class PlainDraws(HypothesisProvider):
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
        if characters > _PLAIN_ALPHABET and self._random.random() < 0.2:
            return self._random.randint(_PLAIN_ALPHABET, characters - 1)
        return self._random.randint(0, min(characters, _PLAIN_ALPHABET) - 1)


def continue_probability(min_size: int, max_size: int) -> float:
    if max_size <= min_size:
        return 0.0
    average = min(max(min_size * 2, min_size + 5), 0.5 * (min_size + max_size))
    return 1.0 - 1.0 / (1.0 + average - min_size)
