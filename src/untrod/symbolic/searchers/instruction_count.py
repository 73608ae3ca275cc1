"""States that stand where execution has seldom been."""

from __future__ import annotations

from untrod.symbolic.protocol import State
from untrod.symbolic.searchers.weighted import Weighted


class InstructionCount(Weighted):
    """KLEE's nurs:icnt: the inverse of how often the branch was executed, squared."""

    def weight(self, state: State) -> float:
        visits = self.knowledge.visits[state.location] if state.location is not None else 0
        return 1 / max(1, visits) ** 2
