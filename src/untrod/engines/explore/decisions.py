"""A fleet that asks only where there is a choice.

Most steps in a maze lead along a corridor: one frontier node within reach, and nothing to decide. Walkers
take such steps by themselves: a network learns nothing there. A batch of mazes has 24 scenes instead of 33.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from untrod.engines.explore.fleet import Fleet, Moves
from untrod.engines.explore.worlds.graph import Graph
from untrod.learn.gmetaexp.scenes import Floats, Ints


class Decisions(Fleet):
    """What is gained on the way to the next decision belongs to the one before."""

    def __init__(self, graphs: Sequence[Graph], steps: int, moves: Moves = "aims") -> None:
        super().__init__(graphs, steps, moves)
        self._hurry()

    def act(self, choices: Ints) -> Floats:
        gained = super().act(choices)
        return gained + self._hurry()

    def _hurry(self) -> Floats:
        """Everybody on to where there are two options, or none."""
        gained: Floats = np.zeros(len(self.graphs), np.float32)
        while (forced := self._alive & (self.option_counts == 1)).any():
            first = np.searchsorted(self._owner[self._options], np.arange(len(self.graphs)))
            gained += self.go(np.where(forced, self._options[first], self.here))
        return gained
