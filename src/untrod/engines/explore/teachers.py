"""Teachers for imitation: they estimate what each option would bring, and the student learns from that.

A teacher is asked wherever the student comes (`TaughtEnv`). There are two: `HindsightTeacher`, and the
planner (`walkers/planner.py`), which is a walker, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from untrod.engines.explore.vector_env import DecisionEnv
from untrod.engines.explore.walk import Walk
from untrod.engines.explore.walkers.planner import greedy_gain
from untrod.engines.explore.walkers.routes import Routes
from untrod.engines.explore.worlds.graph import Graph
from untrod.learn.gmetaexp.scenes import Floats, Scene


class Teacher(Protocol):
    def estimates(self, world: Walk, routes: Routes) -> Mapping[int, Sequence[int]]:
        """For each frontier node: how many nodes more are found by going there first, once for each
        sample."""
        ...


class HindsightTeacher:
    """Tries each option out in the true graph: goes there, and on from there by frontier-greedy.

    Of all graphs that look like this one so far, the true one is a fair sample: it was drawn first, and then
    looked at. So what an option brings there is an unbiased estimate of what it brings on average, which no
    planner's guesses at the rest of a graph are. It is an estimate from one sample and noisy; but imitation
    averages over many graphs, and it is cheap: 64 mazes took the CPU time of 14 with the planner.

    The student sees none of it. It learns what options that look like this one brought.
    """

    def estimates(self, world: Walk, routes: Routes) -> Mapping[int, Sequence[int]]:
        links, left = world.graph.links, world.left
        return {
            node: [greedy_gain(links, world.visits, node, left - routes.distance[node])]
            for node in routes.frontier
        }


class TaughtEnv(DecisionEnv):
    """A DecisionEnv that can be asked for the teacher's estimates (`learn/gmetaexp/imitation.py`)."""

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
        """The state of one of the walks, as a Walk."""
        graph, first = self.graphs[number], int(self.offsets[number])
        world = Walk(graph, self.steps)
        world.here, world.left = int(self.here[number]) - first, int(self.left[number])
        visited = np.flatnonzero(self.visited[first : first + graph.nodes])
        world.visits = dict.fromkeys(visited.tolist(), 1)
        return world
