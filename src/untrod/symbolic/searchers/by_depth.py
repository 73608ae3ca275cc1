"""Deep states first, by chance."""

from __future__ import annotations

from untrod.symbolic.protocol import State
from untrod.symbolic.searchers.weighted import Weighted


class ByDepth(Weighted):
    """A state is as likely as its path is long."""

    def weight(self, state: State) -> float:
        return float(max(1, state.depth))
