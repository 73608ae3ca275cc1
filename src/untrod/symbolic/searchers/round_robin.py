"""Several searchers over the same states, asked in turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from untrod.symbolic.protocol import Searcher, State


class RoundRobin:
    """What one of them is blind for, another sees. KLEE's default is random-path and covnew in turn."""

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
