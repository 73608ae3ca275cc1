"""A planner that imagines the rest of the world, many times, and goes where most was found on average."""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Sequence
from math import sqrt
from random import Random

from untrod.engines.explore.walkers.completions import Completion, Imagined
from untrod.engines.explore.walkers.routes import Routes
from untrod.engines.explore.worlds.world import World


class Planner:
    """At each decision: complete the world `samples` times; in each completion go to each frontier node in
    turn, and on from there by frontier-greedy until the steps are used up. The aim is the frontier node
    with the best mean; but the nearest one is left for another only if that is better by more than the
    standard error of the difference, or a few unlucky samples would send it far away.

    It knows how worlds of its task are made, which a trained network knows too, in its way. It is slow, and
    the teacher of the network (`imitation`).
    """

    name = "planner"

    def __init__(self, seed: int, completion: Completion, samples: int = 40) -> None:
        self._rng = Random(seed)
        self._complete = completion
        self._samples = samples
        self._way: list[int] = []

    def begin(self, world: World) -> None:
        self._way = []

    def choose(self, world: World) -> int | None:
        if not self._way:
            routes = Routes(world, world.here, world.left)
            if not routes.frontier:
                return None
            scores = self.scores(world, routes)
            self._way = routes.way(max(routes.frontier, key=scores.__getitem__))
        return self._way.pop()

    def scores(self, world: World, routes: Routes) -> dict[int, float]:
        """For each frontier node: how many nodes more than by going to the nearest, less the standard
        error."""
        found, frontier = self.estimates(world, routes), routes.frontier
        near = routes.distance[frontier[0]]
        nearest = max((n for n in frontier if routes.distance[n] == near), key=lambda node: sum(found[node]))
        return {node: _surely_better(found[node], found[nearest]) for node in frontier}

    def estimates(self, world: World, routes: Routes) -> dict[int, list[int]]:
        """For each frontier node: how many nodes more were found by going there first, once for each
        completion."""
        found: dict[int, list[int]] = {node: [] for node in routes.frontier}
        for _ in range(self._samples if len(found) > 1 else 0):
            links = self._complete(world, self._rng)
            for node, totals in found.items():
                totals.append(greedy_gain(links, world.visits, node, world.left - routes.distance[node]))
        return found


def _surely_better(these: list[int], those: list[int]) -> float:
    """The mean of the differences, pair by pair, less its standard error."""
    count = len(these)
    if not count:
        return 0.0
    gains = [one - other for one, other in zip(these, those, strict=True)]
    mean = sum(gains) / count
    return mean - sqrt(sum((gain - mean) ** 2 for gain in gains)) / count


def greedy_gain(
    links: Sequence[Sequence[int]] | Imagined, visited: Container[int], node: int, left: int
) -> int:
    """How many nodes more frontier-greedy visits from here. Written out: planning spends its time here."""
    fresh = {node}
    while True:
        distance, waiting = {node: 0}, deque([node])
        aim = None
        while waiting and aim is None:
            one = waiting.popleft()
            steps = distance[one] + 1
            if steps > left:
                break
            for other in links[one]:
                if other not in distance:
                    distance[other] = steps
                    if other not in visited and other not in fresh:
                        aim = other
                        break
                    waiting.append(other)
        if aim is None:
            return len(fresh) - 1
        left -= distance[aim]
        fresh.add(aim)
        node = aim
