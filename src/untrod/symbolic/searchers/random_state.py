"""Every state is equally likely."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from untrod.symbolic.protocol import State


class RandomState:
    """Loops, which make many states, get most of the attention."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._states: list[State] = []
        self._places: dict[int, int] = {}

    def add(self, states: Iterable[State]) -> None:
        for state in states:
            self._places[state.id] = len(self._states)
            self._states.append(state)

    def remove(self, ids: Iterable[int]) -> None:
        """The last one moves into the gap."""
        for number in ids:
            place = self._places.pop(number, None)
            if place is None:
                continue
            last = self._states.pop()
            if last.id != number:
                self._states[place] = last
                self._places[last.id] = place

    def select(self) -> State:
        return self._states[int(self._random.random() * len(self._states))]

    def __len__(self) -> int:
        return len(self._states)
