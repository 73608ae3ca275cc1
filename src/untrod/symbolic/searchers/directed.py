"""Searchers that are directed at *open* lines: lines that were reached, with a way on that no run took.

`OpenFirst` is concolic testing, `Fittest` fitness-guided search. Both have a `fallback`, another searcher
over the same states, which chooses when they have nothing to prefer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from heapq import heappop, heappush
from itertools import count, islice
from math import inf

from untrod.symbolic.protocol import Searcher, State
from untrod.symbolic.searchers.knowledge import Knowledge, Line

SIBLINGS, GENERATIONS = 20, 10
"""A path's branch distance counts for so many siblings of each of so many of its ancestors."""
MOST_STARTED = 50_000
"""So many states that were started are remembered, the newest ones."""


class OpenFirst:
    """The concolic idea: states at an open line come first, since a real run was one flipped branch away from
    what is not covered.

    Open lines take turns, so that a hard one does not hold up the others. Of the states at a line the newest
    comes first. A line that was tried `patience` times is left alone until something new is covered.
    """

    patience = 12

    def __init__(self, fallback: Searcher, knowledge: Knowledge) -> None:
        self._fallback = fallback
        self._knowledge = knowledge
        self._waiting: dict[Line, dict[int, State]] = {}
        self._line_of: dict[int, Line] = {}
        self._tries: Counter[Line] = Counter()
        self._version = knowledge.version

    def add(self, states: Iterable[State]) -> None:
        states = list(states)
        self._fallback.add(states)
        for state in states:
            if state.location is not None:
                line = (state.location.unit, state.location.line)
                self._waiting.setdefault(line, {})[state.id] = state
                self._line_of[state.id] = line

    def remove(self, ids: Iterable[int]) -> None:
        ids = list(ids)
        self._fallback.remove(ids)
        for number in ids:
            line = self._line_of.pop(number, None)
            if line is not None:
                del self._waiting[line][number]
                if not self._waiting[line]:
                    del self._waiting[line]

    def select(self) -> State:
        if self._version != self._knowledge.version:
            self._version = self._knowledge.version
            self._tries.clear()
        lines = [line for line in self._knowledge.open if line in self._waiting]
        line = min(lines, key=lambda one: (self._tries[one], one), default=None)
        if line is None or self._tries[line] >= self.patience:
            return self._fallback.select()
        self._tries[line] += 1
        return next(reversed(self._waiting[line].values()))

    def __len__(self) -> int:
        return len(self._fallback)


class Fittest:
    """Fitness-guided exploration, as in Pex (Xie, Tillmann, de Halleux and Schulte, 2009).

    Coverage tells a searcher nothing about `if day == 366`: no path takes it, and all look alike. How far
    each path was off (its branch distance) tells. A state is as near as the nearest path that it shares its
    decisions with, all but the last: the siblings that this path left itself, and those that its ancestors
    left before they parted. Open lines take turns; of the siblings of one path those nearest to the root come
    first: the ones after them were tried with it.

    Every other state is the fallback's choice, for what is near may be a dead end.
    """

    def __init__(self, fallback: Searcher, knowledge: Knowledge) -> None:
        self._fallback = fallback
        self._knowledge = knowledge
        self._held: dict[int, State] = {}
        self._siblings: dict[int | None, dict[int, State]] = {}  # not started, by the path that left them
        self._started: dict[int, State] = {}  # among them are the ancestors of those not started
        self._heard = knowledge.told
        self._queues: dict[Line, list[tuple[int, int, int, int]]] = {}
        self._tries: Counter[Line] = Counter()
        self._numbers = count()
        self._turn = False

    def add(self, states: Iterable[State]) -> None:
        states = list(states)
        self._fallback.add(states)
        for state in states:
            self._held[state.id] = state
            self._siblings.setdefault(state.parent, {})[state.id] = state

    def remove(self, ids: Iterable[int]) -> None:
        ids = list(ids)
        self._fallback.remove(ids)
        for number in ids:
            state = self._held.pop(number, None)
            if state is not None:
                siblings = self._siblings[state.parent]
                del siblings[number]
                if not siblings:
                    del self._siblings[state.parent]
                self._started[number] = state
                if len(self._started) > MOST_STARTED:
                    del self._started[next(iter(self._started))]

    def select(self) -> State:
        self._hear()
        self._turn = not self._turn
        return (self._nearest() if self._turn else None) or self._fallback.select()

    def __len__(self) -> int:
        return len(self._fallback)

    def _hear(self) -> None:
        """Rank the states that share decisions with the paths that were run since the last call."""
        for path, shortfalls in self._knowledge.since(self._heard):
            ancestor: int | None = path
            depth = inf
            for _ in range(GENERATIONS):
                siblings = reversed(self._siblings.get(ancestor, {}).values())
                above = (one for one in siblings if one.depth < depth)
                for state in islice(above, SIBLINGS):
                    for line, off in shortfalls.items():
                        queue = self._queues.setdefault(line, [])
                        heappush(queue, (off, -path, -next(self._numbers), state.id))
                started = self._started.get(ancestor) if ancestor is not None else None
                if started is None:
                    break
                ancestor, depth = started.parent, started.depth
        self._heard = self._knowledge.told

    def _nearest(self) -> State | None:
        lines = self._knowledge.open & self._queues.keys()
        for line in sorted(lines, key=lambda one: (self._tries[one], one)):
            queue = self._queues[line]
            while queue and queue[0][-1] not in self._held:
                heappop(queue)
            if queue:
                self._tries[line] += 1
                return self._held[queue[0][-1]]
            del self._queues[line]
        return None
