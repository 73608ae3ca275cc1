"""States near uncovered code, or whose ancestors have just covered some."""

from __future__ import annotations

from untrod.symbolic.protocol import State
from untrod.symbolic.searchers.min_distance import inverse_distance
from untrod.symbolic.searchers.weighted import Weighted


class CoveringNew(Weighted):
    """KLEE's nurs:covnew, with generations of paths in place of instructions since the last discovery."""

    follows_knowledge = True

    def weight(self, state: State) -> float:
        near = inverse_distance(self.knowledge.distance(state))
        recent = 1 / (1 + self.knowledge.age(state))
        return near**2 + recent**2
