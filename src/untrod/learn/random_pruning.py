"""Pruning that learns nothing: what dropping states is worth by itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from untrod.learn.restarts import Restarts
from untrod.learn.weight_vector import share


class RandomPruning(Restarts):
    """The first naive method of HOMI's section 4.4: the same rounds and ratios, uniform, and any states.

    Its first round drops nothing, as HOMI's: the two differ in what is learned, and in nothing else.
    """

    name = "random"

    def prune(self, states: Mapping[int, Collection[str]]) -> list[int]:
        if self._rounds <= 1:
            return []
        ratio = self._rng.choice(self.settings.ratios)
        return self._rng.sample(sorted(states), share(len(states), ratio))
