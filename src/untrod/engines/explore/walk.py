"""A walk: one episode of a walker in a world.

    world = Walk(graph, steps=36)          # the episode: where the walker stands, what it has seen
    walk(world, make_walker("dfs", 0, "maze"))
    world.coverage

Three things are kept apart. A *graph* (`worlds/graph.py`) is the whole of what is explored. A *walker*
(`walkers/`) is a policy: it chooses links. It sees the graph through a `World` only, which shows what lies
one link away from where it has been; `Walk` is the world that plays on a graph.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from untrod.engines.explore.worlds.graph import Graph


class World(Protocol):
    """What a walker sees of a graph during a walk, and the step it can take. Node numbers carry no
    meaning."""

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
    """One walk on a graph that is known to us, and not to the walker."""

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
    """A policy for walks: deterministic for its seed and for what it is shown. One walker may walk many
    worlds, one after the other. Its name is that of the catalogue (`walkers/catalogue.py`)."""

    @property
    def name(self) -> str: ...

    def begin(self, world: World) -> None:
        """Forget the last world; a walk in this one begins."""
        ...

    def choose(self, world: World) -> int | None:
        """A node that a link leads to from where the walker stands. None: nothing more can be gained."""
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
