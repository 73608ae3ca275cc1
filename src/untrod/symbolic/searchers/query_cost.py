"""States that cost the solver little."""

from __future__ import annotations

from untrod.symbolic.protocol import State
from untrod.symbolic.searchers.weighted import Weighted


class QueryCost(Weighted):
    """KLEE's nurs:qc: the inverse of what the path has cost the solver; in its units, not in seconds."""

    def weight(self, state: State) -> float:
        return 1 / max(1, state.query_cost)
