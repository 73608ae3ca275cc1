"""The states that wait: siblings of what was walked, of all templates together, unchecked.

Nothing is paid for a state that is never picked: no solver has looked at it, and it shares its trail with the
other siblings of its path. There are at most `most` of them; beyond that the oldest go, and are counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Protocol

from untrod.engines.cover.case import Input
from untrod.engines.cover.paths.atoms import Atoms, Name, atom
from untrod.symbolic.protocol import Follower, Searcher, State, SymbolicExecutor

MOST_STATES = 20_000


class Holes(Protocol):
    """A template: an input, parts of which are symbolic. `values` are those of the input it was made from."""

    @property
    def entry(self) -> str: ...

    @property
    def values(self) -> tuple[Any, ...]: ...

    def input(self, values: tuple[Any, ...]) -> Input: ...


class Walker(SymbolicExecutor, Follower, Protocol):
    """`follow` is for those that say that they can."""


@dataclass(frozen=True, slots=True, eq=False)
class Walked:
    """Who walks the paths of a template."""

    template: Holes
    executor: Walker


class Frontier:
    """States get numbers of their own here, so that those of different executors can wait together."""

    def __init__(
        self,
        searcher: Searcher,
        most: int = MOST_STATES,
        name: Name = atom,
        numbers: Iterator[int] | None = None,
    ) -> None:
        """`numbers` for the states: searchers remember them, so frontiers of a campaign share none."""
        self._searcher = searcher
        self._most = most
        self._held: dict[int, tuple[State, Walked]] = {}
        self._numbers = count(1) if numbers is None else numbers
        self.atoms = Atoms(name)
        self.overflowed = 0

    def __len__(self) -> int:
        return len(self._held)

    def start(self, state: State) -> State:
        """An initial state, numbered: the parent of what its path leaves behind."""
        return replace(state, id=next(self._numbers))

    def add(self, states: Iterable[State], walked: Walked) -> None:
        """Siblings that a path has left; `parent` is the state that the path started from."""
        added = [replace(state, id=next(self._numbers)) for state in states]
        self._held |= {state.id: (state, walked) for state in added}
        self._searcher.add(added)
        if len(self._held) > self._most:
            oldest = list(self._held)[: len(self._held) - self._most]
            self.overflowed += len(oldest)
            self.drop(oldest)

    def pick(self) -> tuple[State, Walked]:
        """The searcher's choice; it waits no longer."""
        state = self._searcher.select()
        found = self._held.pop(state.id)
        self._searcher.remove([state.id])
        return found

    def drop(self, ids: Iterable[int]) -> list[tuple[State, Walked]]:
        dropped = [self._held.pop(number) for number in ids]
        self._searcher.remove([state.id for state, _ in dropped])
        return dropped

    def features(self) -> dict[int, tuple[str, ...]]:
        held = self._held.items()
        return {number: self.atoms.of(state, walked.template) for number, (state, walked) in held}

    def ids(self) -> list[int]:
        return list(self._held)
