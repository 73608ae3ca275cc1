"""KLEE's searchers, as its `Searcher.h` has them: classics, random ones, and draws in proportion to a weight.

    DepthFirst, BreadthFirst         the newest state, the oldest state
    RandomState, RandomPath          every state equally likely; a random walk down the tree of decisions
    Weighted and its subclasses      non-uniform random search (nurs): ByDepth, InstructionCount,
                                     PathInstructions, QueryCost, MinDistance, CoveringNew
    RoundRobin                       several searchers in turn

Where KLEE counts seconds of solving these count solver units, which are the same on every machine.
"""

from __future__ import annotations

from bisect import insort
from collections import deque
from collections.abc import Iterable, Sequence
from random import Random

from untrod.symbolic.protocol import Searcher, State
from untrod.symbolic.searchers.knowledge import Knowledge

PATIENCE = 4096
"""RandomPath: so many states may be removed before the children of the first of them are added."""
FAR = 10_000
"""The distance of a state from which no uncovered line is known to be reachable."""


class DepthFirst:
    """The newest state first: goes down as far as it gets, needs little memory, gets stuck in loops."""

    def __init__(self) -> None:
        self._states: dict[int, State] = {}

    def add(self, states: Iterable[State]) -> None:
        for state in states:
            self._states[state.id] = state

    def remove(self, ids: Iterable[int]) -> None:
        for number in ids:
            self._states.pop(number, None)

    def select(self) -> State:
        return next(reversed(self._states.values()))

    def __len__(self) -> int:
        return len(self._states)


class BreadthFirst(DepthFirst):
    """The oldest state first: fair, and slow to get anywhere deep."""

    def select(self) -> State:
        return next(iter(self._states.values()))


class RandomState:
    """Every state is equally likely: loops, which make many states, get most of the attention."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._states: list[State] = []
        self._positions: dict[int, int] = {}

    def add(self, states: Iterable[State]) -> None:
        for state in states:
            self._positions[state.id] = len(self._states)
            self._states.append(state)

    def remove(self, ids: Iterable[int]) -> None:
        """The last one moves into the gap."""
        for number in ids:
            position = self._positions.pop(number, None)
            if position is None:
                continue
            last = self._states.pop()
            if last.id != number:
                self._states[position] = last
                self._positions[last.id] = position

    def select(self) -> State:
        return self._states[int(self._random.random() * len(self._states))]

    def __len__(self) -> int:
        return len(self._states)


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
    """A random walk from the root of the tree of decisions down to a live state.

    At every decision both sides are equally likely, as long as both have live states below them. So a
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
            child, last = 0, len(node.children) - 1
            while child < last and self._random.random() < 0.5:
                child += 1
            node = self._nodes[node.children[child][1]]
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


class Weights:
    """Draws states in proportion to their weights, in logarithmic time: a Fenwick tree over slots."""

    def __init__(self) -> None:
        self._sums = [0.0]  # from 1: each holds the sum of as many slots as its lowest bit says
        self._weights: list[float] = []
        self._states: list[State | None] = []
        self._slots: dict[int, int] = {}
        self._free: list[int] = []

    def __len__(self) -> int:
        return len(self._slots)

    def states(self) -> list[State]:
        return [state for state in self._states if state is not None]

    def put(self, state: State, weight: float) -> None:
        """Add the state, or give it another weight."""
        slot = self._slots.get(state.id)
        if slot is None:
            slot = self._slots[state.id] = self._free.pop() if self._free else self._grow()
            self._states[slot] = state
        self._change(slot, weight)

    def remove(self, number: int) -> None:
        slot = self._slots.pop(number, None)
        if slot is not None:
            self._change(slot, 0.0)
            self._states[slot] = None
            self._free.append(slot)

    def draw(self, random: Random) -> State:
        """Never called on an empty one."""
        size = len(self._weights)
        left = random.random() * self._sum(size)
        slot, step = 0, 1 << size.bit_length()
        while step := step >> 1:
            if slot + step <= size and self._sums[slot + step] <= left:
                slot += step
                left -= self._sums[slot]
        found = self._states[slot] if slot < size else None
        # Rounding may lead to an empty slot at the very end.
        return found if found is not None else self.states()[-1]

    def _grow(self) -> int:
        slot = len(self._weights)
        number = slot + 1
        lowest = number & -number
        self._sums.append(self._sum(slot) - self._sum(number - lowest))
        self._weights.append(0.0)
        self._states.append(None)
        return slot

    def _sum(self, count: int) -> float:
        """Of the first `count` slots."""
        total = 0.0
        while count:
            total += self._sums[count]
            count -= count & -count
        return total

    def _change(self, slot: int, weight: float) -> None:
        difference, self._weights[slot] = weight - self._weights[slot], weight
        number = slot + 1
        while number < len(self._sums):
            self._sums[number] += difference
            number += number & -number


class Weighted:
    """What KLEE calls non-uniform random search: states are drawn in proportion to their weight.

    Subclasses differ in `weight` alone. `follows_knowledge`: waiting states are weighed again when more is
    covered; otherwise a state keeps the weight with which it came, as in KLEE."""

    follows_knowledge = False

    def __init__(self, seed: int, knowledge: Knowledge) -> None:
        self._random = Random(seed)
        self._weights = Weights()
        self._version = knowledge.version
        self.knowledge = knowledge

    def weight(self, state: State) -> float:
        """Positive."""
        raise NotImplementedError

    def add(self, states: Iterable[State]) -> None:
        for state in states:
            self._weights.put(state, self.weight(state))

    def remove(self, ids: Iterable[int]) -> None:
        for number in ids:
            self._weights.remove(number)

    def select(self) -> State:
        if self.follows_knowledge and self._version != self.knowledge.version:
            self._version = self.knowledge.version
            self.add(self._weights.states())
        return self._weights.draw(self._random)

    def __len__(self) -> int:
        return len(self._weights)


class ByDepth(Weighted):
    """KLEE's nurs:depth: a state is as likely as its path is long."""

    def weight(self, state: State) -> float:
        return float(max(1, state.depth))


class InstructionCount(Weighted):
    """KLEE's nurs:icnt: the inverse of how often the state's branch was executed, squared."""

    def weight(self, state: State) -> float:
        visits = self.knowledge.visits[state.location] if state.location is not None else 0
        return 1 / max(1, visits) ** 2


class PathInstructions(Weighted):
    """The inverse of the instructions on the path; KLEE's nurs:cpicnt counts those on the call path. With an
    executor that does not count instructions, all states are equally likely."""

    def weight(self, state: State) -> float:
        return 1 / max(1, state.instructions)


class QueryCost(Weighted):
    """KLEE's nurs:qc: the inverse of what the path has cost the solver."""

    def weight(self, state: State) -> float:
        return 1 / max(1, state.query_cost)


class MinDistance(Weighted):
    """KLEE's nurs:md2u: the inverse of the distance to the nearest uncovered line, squared."""

    follows_knowledge = True

    def weight(self, state: State) -> float:
        return inverse_distance(self.knowledge.distance(state)) ** 2


def inverse_distance(distance: int | None) -> float:
    return 1 / (FAR if distance is None else max(1, distance))


class CoveringNew(Weighted):
    """KLEE's nurs:covnew: near uncovered lines, or descended from a path that covered some lately. Age is
    counted in generations of paths, not in instructions."""

    follows_knowledge = True

    def weight(self, state: State) -> float:
        near = inverse_distance(self.knowledge.distance(state))
        recent = 1 / (1 + self.knowledge.age(state))
        return near**2 + recent**2


class RoundRobin:
    """Several searchers over the same states, asked in turn: what one of them misses, another finds. KLEE's
    default is random-path and covnew in turn."""

    def __init__(self, searchers: Sequence[Searcher]) -> None:
        self._searchers = list(searchers)
        self._turn = -1

    def add(self, states: Iterable[State]) -> None:
        states = list(states)
        for searcher in self._searchers:
            searcher.add(states)

    def remove(self, ids: Iterable[int]) -> None:
        ids = list(ids)
        for searcher in self._searchers:
            searcher.remove(ids)

    def select(self) -> State:
        self._turn = (self._turn + 1) % len(self._searchers)
        return self._searchers[self._turn].select()

    def __len__(self) -> int:
        return len(self._searchers[0])
