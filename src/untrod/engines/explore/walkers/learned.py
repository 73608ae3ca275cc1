"""A trained network as a walker: on any world, seen or not, one decision at a time."""

from __future__ import annotations

from untrod.engines.explore.vector_env import Moves, VectorEnv
from untrod.engines.explore.walk import World
from untrod.engines.explore.walkers.routes import Routes
from untrod.learn.gmetaexp.ggnn import GraphPolicy
from untrod.learn.gmetaexp.inference import decider


class Learned:
    """Always takes the option that the network likes best. What it remembers starts anew with each world."""

    name = "learned"

    def __init__(self, policy: GraphPolicy, moves: Moves = "aims") -> None:
        self._decide, self._moves = decider(policy), moves
        self._steps = 0
        self._way: list[int] = []

    def begin(self, world: World) -> None:
        self._decide.begin()
        self._steps, self._way = max(1, world.left), []

    def choose(self, world: World) -> int | None:
        if self._way:
            return self._way.pop()
        env = VectorEnv.of(world, self._steps, self._moves)
        if env.over:
            return None
        choice = self._decide(env.scene()) if env.option_counts[0] > 1 else 0
        node = int(env.names[env.option_nodes[choice]])
        if self._moves == "aims":
            self._way = Routes(world, world.here, world.left).way(node)
            return self._way.pop()
        return node
