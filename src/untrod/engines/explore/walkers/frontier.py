"""Frontier-greedy: to the nearest node that is known and not visited."""

from __future__ import annotations

from random import Random

from untrod.engines.explore.walkers.routes import Routes
from untrod.engines.explore.worlds.world import World


class FrontierGreedy:
    """Over known links, by the shortest way; of several that are equally near, any one."""

    name = "frontier"

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)
        self._way: list[int] = []

    def begin(self, world: World) -> None:
        self._way = []

    def choose(self, world: World) -> int | None:
        if not self._way:
            routes = Routes(world, world.here, world.left, nearest=True)
            if not routes.frontier:
                return None
            self._way = routes.way(self._rng.choice(routes.frontier))
        return self._way.pop()
