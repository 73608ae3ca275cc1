"""The oldest state first."""

from __future__ import annotations

from untrod.symbolic.protocol import State
from untrod.symbolic.searchers.depth_first import DepthFirst


class BreadthFirst(DepthFirst):
    """Path by path in the order in which they were left: fair, and slow to get anywhere deep."""

    def select(self) -> State:
        return next(iter(self._states.values()))
