"""The paper's RandDFS."""

from __future__ import annotations

from random import Random

from untrod.engines.explore.worlds.world import World


class RandDfs:
    """A new neighbour if there is one, else any neighbour.

    The paper calls it depth-first search with random order, but its figure (0.54 in mazes) is that of a
    walker that does not know the way back: true depth-first search reaches 0.72 there. See
    `depth_first.py`.
    """

    name = "rand-dfs"

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)

    def begin(self, world: World) -> None:
        pass

    def choose(self, world: World) -> int | None:
        links = world.neighbours(world.here)
        return self._rng.choice([node for node in links if node not in world.visits] or links)
