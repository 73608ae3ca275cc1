"""Depth-first search with backtracking, in random order."""

from __future__ import annotations

from random import Random

from untrod.engines.explore.worlds.world import World


class DepthFirst:
    """A new neighbour if there is one, else back to where it came from.

    Where links lead one way there may be no way back. Then it takes any link, and what it finds there is the
    next level of its search.
    """

    name = "dfs"

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)
        self._trail: list[int] = []

    def begin(self, world: World) -> None:
        self._trail = [world.here]

    def choose(self, world: World) -> int | None:
        links = world.neighbours(world.here)
        fresh = [node for node in links if node not in world.visits]
        if not fresh and len(self._trail) > 1 and self._trail[-2] in links:
            self._trail.pop()
            return self._trail[-1]
        node = self._rng.choice(fresh or links)
        self._trail.append(node)
        return node
