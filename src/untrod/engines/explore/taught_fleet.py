"""Decisions with a teacher beside them, for imitation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from untrod.engines.explore.decisions import Decisions
from untrod.engines.explore.hindsight import Teacher
from untrod.engines.explore.walkers.routes import Routes
from untrod.engines.explore.worlds.graph import Graph
from untrod.engines.explore.worlds.world import Walk
from untrod.learn.gmetaexp.scenes import Floats, Scene


class TaughtFleet(Decisions):
    def __init__(self, graphs: Sequence[Graph], steps: int, teacher: Teacher) -> None:
        super().__init__(graphs, steps, "aims")
        self._teacher = teacher

    def advice(self, scene: Scene) -> Floats:
        """The teacher's mean estimate of each option, as a share of the world."""
        found = np.full(len(scene.options), np.nan, np.float32)
        nodes, owners = self.option_nodes, scene.option_graphs
        counts = np.bincount(owners, minlength=scene.graphs)
        for number in np.flatnonzero(scene.alive & (counts > 1)):
            world = self._walk(int(number))
            estimates = self._teacher.estimates(world, Routes(world, world.here, world.left))
            for place in np.flatnonzero(owners == number):
                totals = estimates[int(nodes[place] - self.offsets[number])]
                found[place] = sum(totals) / len(totals) / world.graph.reachable
        return found

    def _walk(self, number: int) -> Walk:
        """Where one of the worlds stands, as walkers see it."""
        graph, first = self.graphs[number], int(self.offsets[number])
        world = Walk(graph, self.steps)
        world.here, world.left = int(self.here[number]) - first, int(self.left[number])
        visited = np.flatnonzero(self.visited[first : first + graph.nodes])
        world.visits = dict.fromkeys(visited.tolist(), 1)
        return world
