"""What a walker may know and do, and the world that plays it out on a graph.

world = Walk(graph, steps=36)
while not world.over:
    world.step(walker.choose(world))

What a walker promises, and the loop around it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from untrod.engines.explore.worlds.graph import Graph


class World(Protocol):
    """A world, seen from inside. Nodes are numbers that mean nothing but themselves."""

    @property
    def here(self) -> int: ...

    @property
    def left(self) -> int:
        """Steps that are left."""
        ...

    @property
    def visits(self) -> Mapping[int, int]:
        """How often each visited node was visited, in the order of the first visits."""
        ...

    @property
    def coverage(self) -> float: ...

    @property
    def over(self) -> bool: ...

    def neighbours(self, node: int) -> Sequence[int]:
        """Where the links of a visited node lead. Raises ValueError for a node that was not visited."""
        ...

    def step(self, node: int) -> bool:
        """Take the link to this node. True: it is new. Raises ValueError where there is no such link."""
        ...


class Walk:
    """One walk through a known graph."""

    def __init__(self, graph: Graph, steps: int) -> None:
        self.graph = graph
        self.steps = steps
        self.here = graph.start
        self.left = steps
        self.visits: dict[int, int] = {graph.start: 1}
        self.path: list[int] = [graph.start]

    @property
    def coverage(self) -> float:
        return len(self.visits) / self.graph.reachable

    @property
    def over(self) -> bool:
        return (
            self.left <= 0
            or len(self.visits) >= self.graph.reachable
            or not any(target != self.here for target in self.graph.links[self.here])
        )

    def neighbours(self, node: int) -> Sequence[int]:
        if node not in self.visits:
            raise ValueError(f"node {node} was not visited: nobody knows its links")
        return self.graph.links[node]

    def step(self, node: int) -> bool:
        if self.left <= 0:
            raise ValueError("no steps are left")
        if node not in self.graph.links[self.here]:
            raise ValueError(f"no link leads from node {self.here} to node {node}")
        self.left -= 1
        self.here = node
        self.path.append(node)
        seen = self.visits.get(node, 0)
        self.visits[node] = seen + 1
        return not seen


class Walker(Protocol):
    """Deterministic for its seed and for what it is shown. One walker may walk many worlds, one after the
    other."""

    @property
    def name(self) -> str: ...

    def begin(self, world: World) -> None:
        """A new world. What was known of the last one is void."""
        ...

    def choose(self, world: World) -> int | None:
        """One of the nodes that a link from here leads to. None: there is nothing to gain any more."""
        ...


def walk(world: World, walker: Walker) -> float:
    """Walk until the world is over, or the walker has had enough. Returns the coverage."""
    walker.begin(world)
    while not world.over:
        node = walker.choose(world)
        if node is None:
            break
        world.step(node)
    return world.coverage
