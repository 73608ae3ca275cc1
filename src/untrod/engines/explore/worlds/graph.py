"""A graph: the whole of what is explored, of which a walker sees a part (`walk.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Links = Sequence[Sequence[int]]
"""For each node, where its links lead."""


@dataclass(frozen=True, slots=True)
class Graph:
    links: tuple[tuple[int, ...], ...]
    start: int
    reachable: int
    """How many nodes can be reached from the start, itself included: the denominator of coverage."""
    side: int = 0
    """Of a maze: cell c lies in row c // side and column c % side. 0: nodes lie nowhere."""
    names: tuple[str, ...] = ()

    @classmethod
    def build(cls, links: Links, start: int, *, side: int = 0, names: Sequence[str] = ()) -> Graph:
        """Raises ValueError for a link or a start that leads out of the graph."""
        if not 0 <= start < len(links):
            raise ValueError(f"the start {start} is none of the {len(links)} nodes")
        for node, targets in enumerate(links):
            if any(not 0 <= target < len(links) for target in targets):
                raise ValueError(f"a link of node {node} leads out of the graph")
        frozen = tuple(tuple(targets) for targets in links)
        return cls(frozen, start, len(reach(frozen, start)), side, tuple(names))

    @property
    def nodes(self) -> int:
        return len(self.links)


def reach(links: Links, start: int) -> set[int]:
    """The nodes that can be reached from `start`, itself included."""
    found, waiting = {start}, [start]
    while waiting:
        for target in links[waiting.pop()]:
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found
