"""Ways through what is known of a world."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from typing import Protocol


class Map(Protocol):
    """As much of a world as it takes to find a way: worlds have it, and imagined worlds too."""

    @property
    def visits(self) -> Collection[int]: ...

    def neighbours(self, node: int) -> Sequence[int]: ...


class Routes:
    """Shortest ways from a node over visited nodes.

    `frontier` has the nodes that are known and not visited, nearest first, at most `limit` steps away. With
    `nearest` the search stops when it has all of those that are nearest.
    """

    def __init__(self, world: Map, origin: int, limit: int, nearest: bool = False) -> None:
        self.distance: dict[int, int] = {origin: 0}
        self.frontier: list[int] = []
        self._from: dict[int, int] = {}
        visits, waiting = world.visits, deque([origin])
        while waiting:
            node = waiting.popleft()
            steps = self.distance[node] + 1
            if steps > limit or (nearest and self.frontier and steps > self.distance[self.frontier[0]]):
                break
            for target in world.neighbours(node):
                if target not in self.distance:
                    self.distance[target] = steps
                    self._from[target] = node
                    if target in visits:
                        waiting.append(target)
                    else:
                        self.frontier.append(target)

    def way(self, node: int) -> list[int]:
        """The nodes to step on, the last one first: `pop` gives the next."""
        found = []
        while node in self._from:
            found.append(node)
            node = self._from[node]
        return found
