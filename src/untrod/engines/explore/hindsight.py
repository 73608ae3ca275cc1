"""A teacher that tries each option out, in the world as it really is.

Of all worlds that look like this one so far, the real one is a fair sample: it was drawn first, and then
looked at. So what an option brings there is an unbiased estimate of what it brings on average, which no
planner's guesses at the rest of a world are. It is the estimate of one sample, luck and all; but imitation
averages over many worlds, and here they are cheaper: 64 mazes took the CPU time of 14 with the planner.

The student sees none of it. It learns what options that look like this one brought.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from untrod.engines.explore.walkers.planner import greedy_gain
from untrod.engines.explore.walkers.routes import Routes
from untrod.engines.explore.worlds.world import Walk


class Teacher(Protocol):
    def estimates(self, world: Walk, routes: Routes) -> Mapping[int, Sequence[int]]:
        """For each frontier node: how many nodes more are found by going there first, once for each
        sample."""
        ...


class Hindsight:
    """Goes to each frontier node, and on from there by frontier-greedy."""

    def estimates(self, world: Walk, routes: Routes) -> Mapping[int, Sequence[int]]:
        links, left = world.graph.links, world.left
        return {
            node: [greedy_gain(links, world.visits, node, left - routes.distance[node])]
            for node in routes.frontier
        }
