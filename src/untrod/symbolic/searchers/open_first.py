"""States at a line with a way on that nobody took come first; else whoever is behind it chooses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from untrod.symbolic.protocol import Searcher, State
from untrod.symbolic.searchers.distance import Line
from untrod.symbolic.searchers.knowledge import Knowledge


class OpenFirst:
    """The concolic idea: a real run came by here, one flip away from what is missing.

    Open lines take turns, so that a hard one does not hold up the others. Of the states at a line the newest
    comes first. A line that was tried `patience` times has had its chance, until something new is covered.
    """

    patience = 12

    def __init__(self, behind: Searcher, knowledge: Knowledge) -> None:
        self._behind = behind
        self._knowledge = knowledge
        self._waiting: dict[Line, dict[int, State]] = {}
        self._line_of: dict[int, Line] = {}
        self._tries: Counter[Line] = Counter()
        self._version = knowledge.version

    def add(self, states: Iterable[State]) -> None:
        states = list(states)
        self._behind.add(states)
        for state in states:
            if state.location is not None:
                line = (state.location.unit, state.location.line)
                self._waiting.setdefault(line, {})[state.id] = state
                self._line_of[state.id] = line

    def remove(self, ids: Iterable[int]) -> None:
        ids = list(ids)
        self._behind.remove(ids)
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
            return self._behind.select()
        self._tries[line] += 1
        return next(reversed(self._waiting[line].values()))

    def __len__(self) -> int:
        return len(self._behind)
