"""How promising a state is: one weight for each feature."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from math import floor
from random import Random

GRAIN = 1 << 40
"""Scores are sums of integers, in units of 1 / GRAIN. Sums of floats depend on the order of their terms, the
order of a set of strings on the process: the same states would be ranked differently from run to run."""


@dataclass(frozen=True, slots=True)
class WeightVector:
    """theta over `features`, and the share `ratio` of the states that it drops."""

    features: tuple[str, ...]
    weights: tuple[float, ...]
    ratio: float

    def scores(self, features_of_states: Iterable[Collection[str]]) -> list[int]:
        """score(s) = feat(s) . theta, times GRAIN; feat_i(s) = 1 iff s has feature i."""
        weights = zip(self.features, self.weights, strict=True)
        weight_of = _OrZero((feature, round(weight * GRAIN)) for feature, weight in weights).__getitem__
        return [sum(map(weight_of, features)) for features in features_of_states]

    def lowest(self, states: Mapping[int, Collection[str]], rng: Random) -> list[int]:
        """The ids of the share `ratio` with the lowest scores, lowest first. Chance decides between equals:
        the order of the ids is their age, and nothing says that old states are worth less.
        """
        order = sorted(states)
        rng.shuffle(order)
        score_of = dict(zip(order, self.scores(map(states.__getitem__, order)), strict=True))
        order.sort(key=score_of.__getitem__)
        return order[: share(len(order), self.ratio)]


class _OrZero(dict[str, int]):
    """What is no feature weighs nothing."""

    def __missing__(self, key: str) -> int:
        return 0


def share(count: int, ratio: float) -> int:
    """|S| * r, rounded down, but not because 0.6 is a little less than six tenths."""
    return floor(count * ratio + 1e-9)
