"""The draws of a backend: as choices of the learner where it is asked, plainly where it is not.

Small domains are learned value by value, texts over small alphabets character by character, and everything
else by arms (see `arms` and `texts`). Forced draws never reach a provider.
"""

from __future__ import annotations

import math
from random import Random
from typing import Any

from hypothesis.internal.conjecture.choice import choice_permitted
from hypothesis.internal.conjecture.providers import COLLECTION_DEFAULT_MAX_SIZE, PrimitiveProvider
from hypothesis.internal.intervalsets import IntervalSet

from untrod.engines.inputs.backend.arms import Arms, float_arms, integer_arms
from untrod.engines.inputs.backend.asking import Asking
from untrod.engines.inputs.backend.identity import MISSING
from untrod.engines.inputs.backend.names import Names
from untrod.engines.inputs.backend.plain import PlainDraws
from untrod.engines.inputs.backend.spans import SpanContext

SMALL = 64
"""Domains up to this size are learned value by value."""


class DrawingProvider(PrimitiveProvider):
    """The five draws that Hypothesis asks a provider for."""

    def __init__(self, names: Names) -> None:
        super().__init__(None)
        self.names = names
        self.spans = SpanContext(self.names)
        self._rng = Random(0)
        self._plain = PlainDraws(self._rng)
        self._asking = Asking(self.spans, self._rng, names)
        self._guided = False  # whether the learner decides in the running test case
        self._arms: dict[Any, Arms[Any]] = {}
        self._letters: dict[IntervalSet, list[str]] = {}

    def draw_boolean(self, p: float = 0.5) -> bool:
        if p <= 0.0:
            return False
        if p >= 1.0:
            return True
        if not self._guided:
            return self._rng.random() < p
        scripted = self._asking.scripted(bool, {"p": p})
        wanted = None if scripted is MISSING else int(scripted)
        return bool(self._asking.pick("bool", 2, (1.0 - p, p), wanted=wanted))

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
        if not self._guided:
            return self._plain.draw_integer(**constraints)
        if min_value is not None and max_value is not None and max_value - min_value < SMALL:
            options = max_value - min_value + 1
            if options == 1:
                return min_value
            wanted = self._asking.scripted(int, constraints)
            wanted = None if wanted is MISSING else wanted - min_value
            preference = None
            if weights is not None:
                rest = (1.0 - sum(weights.values())) / options
                preference = [weights.get(min_value + option, 0.0) + rest for option in range(options)]
            return min_value + self._asking.pick("int", options, preference, wanted=wanted, low=min_value)
        key = (min_value, max_value, shrink_towards)
        arms = self._arms.get(key)
        if arms is None:
            arms = self._arms[key] = integer_arms(min_value, max_value, shrink_towards)
        return int(self._asking.pull("wide-int", arms, self._asking.scripted(int, constraints)))

    def draw_float(
        self,
        *,
        min_value: float = -math.inf,
        max_value: float = math.inf,
        allow_nan: bool = True,
        smallest_nonzero_magnitude: float,
    ) -> float:
        constraints: Any = {
            "min_value": min_value,
            "max_value": max_value,
            "allow_nan": allow_nan,
            "smallest_nonzero_magnitude": smallest_nonzero_magnitude,
        }
        if not self._guided:
            return self._plain.draw_float(**constraints)
        signs = (math.copysign(1.0, min_value), math.copysign(1.0, max_value))  # 0.0 == -0.0, but not here
        key = ("float", min_value, max_value, allow_nan, smallest_nonzero_magnitude, signs)
        arms = self._arms.get(key)
        if arms is None:
            arms = self._arms[key] = float_arms(
                min_value,
                max_value,
                lambda value: choice_permitted(value, constraints),
                lambda: self._plain.draw_float(**constraints),
            )
        return float(self._asking.pull("float", arms, self._asking.scripted(float, constraints)))

    def draw_string(
        self, intervals: IntervalSet, *, min_size: int = 0, max_size: int = COLLECTION_DEFAULT_MAX_SIZE
    ) -> str:
        characters = len(intervals)
        constraints: Any = {"intervals": intervals, "min_size": min_size, "max_size": max_size}
        if not self._guided or characters == 0:
            return self._plain.draw_string(intervals, min_size=min_size, max_size=max_size)
        if characters <= SMALL:
            wanted = self._asking.scripted(str, constraints)
            letters = self._letters.get(intervals)
            if letters is None:
                spelled = (intervals.char_in_shrink_order(index) for index in range(characters))
                letters = self._letters[intervals] = list(spelled)
            return self._asking.spell(letters, min_size, max_size, None if wanted is MISSING else wanted)
        key = ("text", intervals, min_size, max_size)
        arms = self._arms.get(key)
        if arms is None:
            from untrod.engines.inputs.backend.texts import string_arms

            arms = self._arms[key] = string_arms(intervals, min_size, max_size, self._plain)
        return str(self._asking.pull("text", arms, self._asking.scripted(str, constraints)))

    def draw_bytes(self, min_size: int = 0, max_size: int = COLLECTION_DEFAULT_MAX_SIZE) -> bytes:
        if not self._guided:
            return self._plain.draw_bytes(min_size, max_size)
        key = ("bytes", min_size, max_size)
        arms = self._arms.get(key)
        if arms is None:
            from untrod.engines.inputs.backend.texts import bytes_arms

            arms = self._arms[key] = bytes_arms(min_size, max_size, self._plain)
        wanted = self._asking.scripted(bytes, {"min_size": min_size, "max_size": max_size})
        value = self._asking.pull("bytes", arms, wanted)
        assert isinstance(value, bytes)
        return value
