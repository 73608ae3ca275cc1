"""What the good tests teach about pruning: the distributions of HOMI, and how they are drawn from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from untrod.learn.archive import Entry
from untrod.learn.pruning import Settings
from untrod.learn.truncated_normal import HIGH, LOW, TruncatedNormal
from untrod.learn.weight_vector import WeightVector

EXPLOIT, REVERSE, EXPLORE = METHODS = ("exploit", "reverse", "explore")


class Promise:
    """P = (F, P_stgy, P_ratio) of the paper, and P_time, as learned from the good tests.

    - F: the features of the good tests, the most valuable test first, at most `Settings.features`.
    - P_stgy: for a feature of F, the weights it had when good tests were made, as a truncated normal.
    - P_ratio, P_time: how often each value made a good test.

    Three ways to draw. *Exploit* draws from these. *Reverse* does so too, and then takes weights far away
    from those drawn, to reach what the good tests do not. *Explore* is uniform in everything.
    """

    def __init__(
        self, good: Sequence[Entry], vectors: Mapping[int, WeightVector], settings: Settings
    ) -> None:
        self._settings = settings
        names = dict.fromkeys(name for entry in good for name in entry.features)
        self.features = tuple(names)[: settings.features]
        made_by = [vectors[entry.vector] for entry in good if entry.vector is not None]
        weights: dict[str, list[float]] = {name: [] for name in self.features}
        for vector in made_by:
            for name, weight in zip(vector.features, vector.weights, strict=True):
                if name in weights:
                    weights[name].append(weight)
        self.learned = {name: TruncatedNormal.fit(values) for name, values in weights.items() if values}
        self.ratios = Counter(vector.ratio for vector in made_by)
        self.lengths = Counter(entry.length for entry in good)

    def draw_length(self, method: str, rng: Random) -> float:
        return _draw(self._settings.lengths, self.lengths, method, rng)

    def draw_vector(self, method: str, rng: Random) -> WeightVector:
        weights = tuple(self._draw_weight(name, method, rng) for name in self.features)
        return WeightVector(self.features, weights, _draw(self._settings.ratios, self.ratios, method, rng))

    def _draw_weight(self, name: str, method: str, rng: Random) -> float:
        known = None if method == EXPLORE else self.learned.get(name)
        weight = known.draw(rng) if known else rng.uniform(LOW, HIGH)
        return self._opposite(weight, rng) if method == REVERSE else weight

    def _opposite(self, weight: float, rng: Random) -> float:
        draws = [rng.uniform(LOW, HIGH) for _ in range(self._settings.opposites)]
        return max(draws, key=lambda draw: abs(draw - weight))


def _draw(values: Sequence[float], counts: Mapping[float, int], method: str, rng: Random) -> float:
    weights = [counts.get(value, 0) for value in values]
    if method == EXPLORE or not any(weights):
        return rng.choice(values)
    return rng.choices(values, weights)[0]
