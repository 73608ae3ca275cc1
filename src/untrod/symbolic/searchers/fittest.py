"""States of the paths that came nearest to a way on that nobody took; else whoever is behind it chooses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from heapq import heappop, heappush
from itertools import count, islice
from math import inf

from untrod.symbolic.protocol import Searcher, State
from untrod.symbolic.searchers.distance import Line
from untrod.symbolic.searchers.knowledge import Knowledge

KIN, GENERATIONS = 20, 10
"""So many states, of so many ancestors, are nearer when a path was."""
MOST_STARTED = 50_000


class Fittest:
    """Fitness-guided exploration, as in Pex (Xie, Tillmann, de Halleux and Schulte, 2009).

    Coverage tells a searcher nothing about `if day == 366`: no path takes it, and all look alike. How far
    each path was off tells. A state is as near as the nearest path that it shares its decisions with, all but
    the last: what that path left aside itself, and what its ancestors did before they parted. Open lines take
    turns; of the states of one path the first come first: those behind them were tried with it.

    Every other state is the choice of who is behind it, for what is near may be a dead end.
    """

    def __init__(self, behind: Searcher, knowledge: Knowledge) -> None:
        self._behind = behind
        self._knowledge = knowledge
        self._held: dict[int, State] = {}
        self._kin: dict[int | None, dict[int, State]] = {}  # those that wait, by the path that left them
        self._started: dict[int, State] = {}  # those that wait no more: the ancestors of others
        self._heard = knowledge.told
        self._queues: dict[Line, list[tuple[int, int, int, int]]] = {}
        self._tries: Counter[Line] = Counter()
        self._numbers = count()
        self._turn = False

    def add(self, states: Iterable[State]) -> None:
        states = list(states)
        self._behind.add(states)
        for state in states:
            self._held[state.id] = state
            self._kin.setdefault(state.parent, {})[state.id] = state

    def remove(self, ids: Iterable[int]) -> None:
        ids = list(ids)
        self._behind.remove(ids)
        for number in ids:
            state = self._held.pop(number, None)
            if state is not None:
                kin = self._kin[state.parent]
                del kin[number]
                if not kin:
                    del self._kin[state.parent]
                self._started[number] = state
                if len(self._started) > MOST_STARTED:
                    del self._started[next(iter(self._started))]

    def select(self) -> State:
        self._hear()
        self._turn = not self._turn
        return (self._nearest() if self._turn else None) or self._behind.select()

    def __len__(self) -> int:
        return len(self._behind)

    def _hear(self) -> None:
        """Of the paths that were walked since: by how much each was off, and whom that concerns."""
        for path, shortfalls in self._knowledge.since(self._heard):
            ancestor: int | None = path
            depth = inf
            for _ in range(GENERATIONS):
                nearby = (one for one in reversed(self._kin.get(ancestor, {}).values()) if one.depth < depth)
                for state in islice(nearby, KIN):
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
