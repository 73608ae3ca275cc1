"""Two value functions that are learned together and change places."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeAlias

from untrod.core.vocabulary import Json
from untrod.learn.serialise import dump_key, load_key

Pair: TypeAlias = tuple[float, float]
"""The first and the second value of one key."""


class DoubleValues:
    """Q1 and Q2. A key that was never moved has the value that `initial` says, and takes no room.

    Both tables always have the same keys in the same order: a key enters both at once.
    """

    def __init__(self, initial: Callable[[Any], Pair] | None = None) -> None:
        self._initial = initial
        self._first: dict[Hashable, float] = {}
        self._second: dict[Hashable, float] = {}

    def __len__(self) -> int:
        return len(self._first)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._first

    def pair(self, key: Hashable) -> Pair:
        if key in self._first:
            return self._first[key], self._second[key]
        return self._initial(key) if self._initial else (0.0, 0.0)

    def move(self, key: Hashable, change: float, *, bound: float, doubleness: float) -> None:
        """Lines 13 and 14 of the paper's Algorithm 4: Q1 moves and is clipped, Q2 follows it or does not."""
        first, second = self.pair(key)
        first = min(max(first + change, -bound), bound)
        self._first[key] = first
        self._second[key] = (1.0 - doubleness) * first + doubleness * second

    def swap(self) -> None:
        self._first, self._second = self._second, self._first

    def state(self) -> Json:
        return [[dump_key(key), first, self._second[key]] for key, first in self._first.items()]

    def load(self, state: Json) -> None:
        first: dict[Hashable, float] = {}
        second: dict[Hashable, float] = {}
        for body, one, two in state:
            key = load_key(body)
            first[key], second[key] = float(one), float(two)
        self._first, self._second = first, second
