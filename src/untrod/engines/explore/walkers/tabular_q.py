"""Tabular Q-learning on one graph: the paper's baseline for fine-tuning."""

from __future__ import annotations

from collections import defaultdict
from random import Random

from untrod.engines.explore.worlds.graph import Graph
from untrod.engines.explore.worlds.world import Walk, World

State = tuple[int, frozenset[int]]


class TabularQ:
    """Practises on the very graph that it will be measured on, and starts from nothing.

    A state is the node and which of its neighbours are visited. The node alone cannot tell the first visit
    from the second, and all visited nodes would never come twice. The reward is 1 for a new node; epsilon
    falls in a line to 0. Needs a `Walk`: practice takes resets.
    """

    name = "tabular-q"

    def __init__(
        self, seed: int, episodes: int = 200, rate: float = 0.3, discount: float = 0.97, epsilon: float = 0.3
    ) -> None:
        self._rng = Random(seed)
        self._episodes, self._rate, self._discount, self._epsilon = episodes, rate, discount, epsilon
        self._values: dict[tuple[State, int], float] = {}

    def begin(self, world: World) -> None:
        if not isinstance(world, Walk):
            raise TypeError("Q-learning practises on a world whose graph is known")
        self._values = defaultdict(float)
        for number in range(self._episodes):
            self._practise(world.graph, world.steps, self._epsilon * (1 - number / self._episodes))

    def choose(self, world: World) -> int | None:
        return self._best(_state(world), world)

    def _practise(self, graph: Graph, steps: int, epsilon: float) -> None:
        world = Walk(graph, steps)
        while not world.over:
            state = _state(world)
            explore = self._rng.random() < epsilon
            node = self._rng.choice(graph.links[world.here]) if explore else self._best(state, world)
            reward = float(world.step(node))
            ahead = 0.0
            if not world.over:
                following = _state(world)
                ahead = max(self._values[following, each] for each in world.neighbours(world.here))
            error = reward + self._discount * ahead - self._values[state, node]
            self._values[state, node] += self._rate * error

    def _best(self, state: State, world: World) -> int:
        """New neighbours first among equals: before there is any value, this is RandDFS."""
        links = world.neighbours(world.here)
        values, chance = self._values, self._rng.random
        return max(links, key=lambda node: (values[state, node], node not in world.visits, chance()))


def _state(world: World) -> State:
    return world.here, frozenset(node for node in world.neighbours(world.here) if node in world.visits)
