"""A random walk down the tree of decisions, from its root to a live state."""

from __future__ import annotations

from bisect import insort
from collections import deque
from collections.abc import Iterable
from random import Random

from untrod.symbolic.protocol import State

PATIENCE = 4096
"""So many states may be removed before the children of the first of them are added."""


class _Node:
    """A state that is live, or was run and has live ones below it."""

    __slots__ = ("children", "depth", "id", "live", "parent", "state")

    def __init__(self, number: int, parent: _Node | None, depth: int) -> None:
        self.id = number
        self.parent = parent
        self.depth = depth
        self.state: State | None = None
        self.live = 0  # live states in this subtree
        self.children: list[tuple[int, int]] = []  # (depth, id) of the children with live states


class RandomPath:
    """At every decision both sides are equally likely, as long as both have live states below them. So a
    state near the root is likelier than one deep in a loop, however many of those there are.

    The siblings that a path leaves hang off it in the order of their depth, and the path itself is done. So
    walking down it is tossing a coin at each: leave here, or go on to the next.
    """

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._root = _Node(-1, None, 0)
        self._nodes: dict[int, _Node] = {}
        self._gone: deque[_Node] = deque()

    def add(self, states: Iterable[State]) -> None:
        for state in states:
            parent = self._nodes.get(state.parent, self._root) if state.parent is not None else self._root
            node = self._nodes.get(state.id)
            if node is None:
                node = self._nodes[state.id] = _Node(state.id, parent, state.depth)
            if node.state is None:
                node.state = state
                self._count(node, 1)

    def remove(self, ids: Iterable[int]) -> None:
        """The node stays for a while: its state may be on its way to be run, its children will hang here."""
        for number in ids:
            node = self._nodes.get(number)
            if node is not None and node.state is not None:
                node.state = None
                self._count(node, -1)
                self._gone.append(node)
        while len(self._gone) > PATIENCE:
            old = self._gone.popleft()
            if not old.live:
                self._nodes.pop(old.id, None)

    def select(self) -> State:
        node = self._root
        while node.state is None:
            place, last = 0, len(node.children) - 1
            while place < last and self._random.random() < 0.5:
                place += 1
            node = self._nodes[node.children[place][1]]
        return node.state

    def __len__(self) -> int:
        return self._root.live

    def _count(self, node: _Node, change: int) -> None:
        below: _Node | None = node
        while below is not None:
            before = below.live
            below.live += change
            parent = below.parent
            if parent is not None and not before:
                insort(parent.children, (below.depth, below.id))
            elif parent is not None and not below.live:
                parent.children.remove((below.depth, below.id))
            below = parent
