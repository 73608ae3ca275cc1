"""The normal distribution, cut off at -1 and 1."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt
from random import Random
from statistics import NormalDist

LOW, HIGH = -1.0, 1.0
UNKNOWN_DEVIATION = 1.0
"""For values that do not differ: one value says where, not how sure. The paper is silent, HOMI takes 1."""

_SMALLEST, _LARGEST = 2.0**-1074, 1.0 - 2.0**-53


class TruncatedNormal:
    """Drawn by inversion: one random number for each value, so that streams stay in step."""

    __slots__ = ("_above", "_below", "_normal", "deviation", "mean")

    def __init__(self, mean: float, deviation: float) -> None:
        if not LOW <= mean <= HIGH or deviation <= 0.0:
            raise ValueError(f"mean {mean} and deviation {deviation} do not fit into [-1, 1]")
        self.mean, self.deviation = mean, deviation
        self._normal = NormalDist(mean, deviation)
        self._below, self._above = self._normal.cdf(LOW), self._normal.cdf(HIGH)

    @classmethod
    def fit(cls, values: Sequence[float]) -> TruncatedNormal:
        """With the mean and the deviation (of the population, as in the paper) of `values`."""
        mean = min(max(fsum(values) / len(values), LOW), HIGH)
        if min(values) == max(values):
            return cls(mean, UNKNOWN_DEVIATION)
        return cls(mean, sqrt(fsum((value - mean) ** 2 for value in values) / len(values)))

    def draw(self, rng: Random) -> float:
        share = self._below + rng.random() * (self._above - self._below)
        # Rounding may give 0 or 1, whose quantiles are infinite.
        value = self._normal.inv_cdf(min(max(share, _SMALLEST), _LARGEST))
        return min(max(value, LOW), HIGH)
