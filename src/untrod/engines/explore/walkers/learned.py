"""A trained network as a walker: on any world, seen or not, one decision at a time."""

from __future__ import annotations

import torch

from untrod.engines.explore.fleet import Fleet, Moves
from untrod.engines.explore.walkers.routes import Routes
from untrod.engines.explore.worlds.world import World
from untrod.learn.ggnn import GraphPolicy, State


class Learned:
    """Always takes the option that the network likes best. What it remembers starts anew with each world."""

    name = "learned"

    def __init__(self, policy: GraphPolicy, moves: Moves = "aims") -> None:
        self._policy, self._moves = policy, moves
        self._state: State | None = None
        self._steps = 0
        self._way: list[int] = []

    def begin(self, world: World) -> None:
        self._state, self._steps, self._way = None, max(1, world.left), []

    @torch.no_grad()
    def choose(self, world: World) -> int | None:
        if self._way:
            return self._way.pop()
        fleet = Fleet.of(world, self._steps, self._moves)
        if fleet.over:
            return None
        choice = 0
        if fleet.option_counts[0] > 1:
            chances, _, self._state = self._policy(fleet.scene(), self._state or self._policy.begin(1))
            choice = int(chances[0].argmax())
        node = fleet.names[int(fleet.option_nodes[choice])]
        if self._moves == "aims":
            self._way = Routes(world, world.here, world.left).way(node)
            return self._way.pop()
        return node
