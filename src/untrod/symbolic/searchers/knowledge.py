"""What searchers know of the program and of the campaign so far. Whoever runs the loop tells it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence

from untrod.symbolic.protocol import Branch, Location, State
from untrod.symbolic.searchers.distance import Line, Nearness

MOST_PATHS = 50_000
"""So many are remembered: the states of older ones are long gone."""
RECENT = 1_000


class Knowledge:
    """`version` grows whenever something new was covered."""

    def __init__(self, distances: Nearness | None = None) -> None:
        self.version = 0
        self.visits: Counter[Location] = Counter()  # how often each branch was executed
        self.open: set[Line] = set()
        """Lines that were reached and have a way on that nobody took."""
        self._covered: set[Line] = set()
        # Of states that were run: paths since their line of descent found anything.
        self._ages: dict[int, int] = {}
        self.told = 0  # paths of which is known by how much they were off
        self._shortfalls: deque[tuple[int, Mapping[Line, int]]] = deque(maxlen=RECENT)
        self._distances = distances

    def tell(self, state: State, branches: Sequence[Branch], lines: Iterable[Line]) -> int:
        """`state` was run: the branches that it met and the lines that a concrete run covered. How many of
        these are new?"""
        self.visits.update(branch.location for branch in branches)
        new = set(lines) - self._covered
        self._covered |= new
        self._ages[state.id] = 0 if new else self.age(state) + 1
        if len(self._ages) > MOST_PATHS:
            del self._ages[next(iter(self._ages))]
        self.version += bool(new)
        return len(new)

    def tell_shortfalls(self, state: State, found: Mapping[Line, int]) -> None:
        """By how much the path of `state` missed what nobody took at these lines."""
        if found:
            self._shortfalls.append((state.id, dict(found)))
            self.told += 1

    def since(self, told: int) -> list[tuple[int, Mapping[Line, int]]]:
        """What was told after the first `told` times: the number of each path's state, and the shortfalls."""
        new = min(self.told - told, len(self._shortfalls))
        return list(self._shortfalls)[len(self._shortfalls) - new :]

    def age(self, state: State) -> int:
        """How many generations ago did the paths that led to `state` last cover something new?"""
        return self._ages.get(state.parent, 0) if state.parent is not None else 0

    def distance(self, state: State) -> int | None:
        """Lines from `state` to the nearest line that nobody has covered; None if none is known."""
        if self._distances is None or state.location is None:
            return None
        return self._distances.to_uncovered(state.location, self._covered, self.version)
