"""States that took few instructions to reach."""

from __future__ import annotations

from untrod.symbolic.protocol import State
from untrod.symbolic.searchers.weighted import Weighted


class PathInstructions(Weighted):
    """KLEE's nurs:cpicnt counts along the call path; here it is the whole path. With an executor that
    does not count instructions all states are equally likely."""

    def weight(self, state: State) -> float:
        return 1 / max(1, state.instructions)
