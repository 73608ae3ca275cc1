"""States near code that nobody has covered."""

from __future__ import annotations

from untrod.symbolic.protocol import State
from untrod.symbolic.searchers.weighted import Weighted

FAR = 10_000


class MinDistance(Weighted):
    """KLEE's nurs:md2u: the inverse of the distance, squared."""

    follows_knowledge = True

    def weight(self, state: State) -> float:
        return inverse_distance(self.knowledge.distance(state)) ** 2


def inverse_distance(distance: int | None) -> float:
    return 1 / (FAR if distance is None else max(1, distance))
