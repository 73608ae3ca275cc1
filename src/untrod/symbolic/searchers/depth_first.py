"""The newest state first."""

from __future__ import annotations

from collections.abc import Iterable

from untrod.symbolic.protocol import State


class DepthFirst:
    """Goes down as far as it gets: small memory, and stuck in the first loop it meets."""

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
