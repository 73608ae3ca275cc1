"""Sampling without replacement: a policy that never repeats a whole sequence of answers.

Refusing only the very last answer of a used-up sequence is not enough: with all good ends of a prefix gone, a
policy would be pushed into the bad ones. So every prefix knows which share of its probability, as the policy
itself sees it, is still unseen, and an option counts by its weight times that share. Samples are then drawn
from the policy's own distribution given that the sequence is new: bad continuations stay as unlikely as
they were, and exhausted prefixes fade away by themselves.

Only prefixes that were met twice become nodes; the rest of a sequence is one compact `_Tail`.
"""

from __future__ import annotations

from collections.abc import Sequence

from untrod.core.vocabulary import Json


class Unseen:
    """The walk of the running episode through the tree of finished ones."""

    def __init__(self, max_nodes: int = 300_000) -> None:
        self._max_nodes = max_nodes
        self._forget()

    def _forget(self) -> None:
        self.nodes = 0
        self._root = _Node()
        self._begin()

    def _begin(self) -> None:
        self._here: _Node | None = self._root
        self._path: list[tuple[_Node, int, Sequence[float] | None]] = []
        self._options: list[int] = []
        self._shares: list[float] = []
        self._endless = False

    def weigh(self, weights: list[float]) -> list[float]:
        """`weights`, each times the share of its future that is still unseen."""
        here = self._here
        if here is None or not here.children:
            return weights
        weights = weights[:]
        for option, child in here.children.items():
            if option < len(weights):
                weights[option] *= child.left
        return weights

    def step(self, option: int, weights: Sequence[float] | None, endless: bool = False) -> None:
        """The episode goes on by `option`, to which the policy gave `weights` (None: it was not asked).

        `endless` marks an answer that stands for many values: what follows is never used up.
        """
        if self._endless:
            return
        here = self._here
        if here is None:
            self._options.append(option)
            total = sum(weights) if weights else 0.0
            self._shares.append(weights[option] / total if weights and total > 0.0 else 1.0)
        else:
            self._path.append((here, option, weights))
            child = here.children.get(option)
            if isinstance(child, _Tail):
                child = here.children[option] = child.opened()
                self.nodes += 1
            self._here = child
        self._endless = endless

    def end(self) -> None:
        """The episode is over: its sequence is seen, unless it contains an endless answer."""
        if self._path and not self._endless:
            self._mark()
            if self.nodes > self._max_nodes:
                self._forget()
        self._begin()

    def cancel(self) -> None:
        """The episode did not count."""
        self._begin()

    def _mark(self) -> None:
        last, option, _ = self._path[-1]
        if self._here is None:
            last.children[option] = _Tail(self._options, self._shares)
            self.nodes += 1
        else:  # a sequence that ended here before, or a target that stops where it once went on
            self._here.left = 0.0
        for node, _, weights in reversed(self._path):
            total = sum(weights) if weights else 0.0
            if weights and total > 0.0:
                seen, options = 0.0, len(weights)
                for answer, child in node.children.items():
                    if answer < options:
                        seen += weights[answer] * (1.0 - child.left)
                node.left = max(0.0, 1.0 - seen / total)

    @property
    def exhausted(self) -> bool:
        return self._root.left <= 1e-12

    def state(self) -> Json:
        return _dump(self._root)

    def load(self, state: Json) -> None:
        """Raises ValueError when `state` is not one of its own."""
        root = _load(state)
        if not isinstance(root, _Node):
            raise ValueError("a tree of sequences begins with a node")
        self._forget()
        self._root = root
        self.nodes = _size(root)
        self._begin()


class _Node:
    __slots__ = ("children", "left")

    def __init__(self) -> None:
        self.children: dict[int, _Node | _Tail] = {}
        self.left = 1.0


class _Tail:
    """The end of a sequence that was walked once: its options, and how likely the policy found each."""

    __slots__ = ("left", "options", "shares")

    def __init__(self, options: list[int], shares: list[float]) -> None:
        self.options = options
        self.shares = shares
        left = 0.0
        for share in reversed(shares):
            left = 1.0 - share * (1.0 - left)
        self.left = left

    def opened(self) -> _Node:
        node = _Node()
        node.left = self.left
        if self.options:
            node.children[self.options[0]] = _Tail(self.options[1:], self.shares[1:])
        return node


def _dump(tree: _Node | _Tail) -> Json:
    """A tail is [options, shares], a node [left, how many, options]; flat, because trees grow deeper than
    Python recurses."""
    flat: list[Json] = []
    stack: list[_Node | _Tail] = [tree]
    while stack:
        item = stack.pop()
        if isinstance(item, _Tail):
            flat.append([item.options, item.shares])
        else:
            flat.append([item.left, len(item.children), list(item.children)])
            stack.extend(reversed(item.children.values()))
    return flat


def _load(flat: Json) -> _Node | _Tail:
    """The inverse of `_dump`: children follow their node in order, depth first."""
    records = iter(flat)
    waiting: list[tuple[_Node, list[int]]] = []
    first: _Node | _Tail | None = None
    for record in records:
        item: _Node | _Tail
        if len(record) == 2:
            item = _Tail([int(option) for option in record[0]], [float(share) for share in record[1]])
        else:
            item = _Node()
            item.left = float(record[0])
        if first is None:
            first = item
        else:
            parent, options = waiting[-1]
            parent.children[options.pop(0)] = item
        if isinstance(item, _Node):
            waiting.append((item, [int(option) for option in record[2]]))
        while waiting and not waiting[-1][1]:
            waiting.pop()
    if first is None or waiting:
        raise ValueError("a tree of sequences that breaks off")
    return first


def _size(root: _Node) -> int:
    count, stack = 0, [root]
    while stack:
        node = stack.pop()
        count += len(node.children)
        stack += [child for child in node.children.values() if isinstance(child, _Node)]
    return count
