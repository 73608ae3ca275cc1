"""The tests of all rounds so far, and the few good ones among them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from untrod.core.vocabulary import Json
from untrod.learn.set_cover import set_cover


@dataclass(frozen=True, slots=True)
class Entry:
    """A test, and how it came about: (F, theta, r) by the number of the `vector`, n as `length`."""

    branches: int
    """A bit for each branch."""
    features: tuple[str, ...]
    vector: int | None
    length: float


class Archive:
    """D and goodD of the paper: goodD is a small part of D that covers all that D covers.

    Of tests with the same branches the first one is kept: the greedy cover would never choose another. At
    most `capacity` tests are kept, the good ones first, then those with the most branches. Only beyond that
    size may the good tests differ from those of the paper, which forgets nothing.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._bits: dict[str, int] = {}
        self._entries: dict[int, Entry] = {}
        self.good: list[Entry] = []
        """The most valuable first."""

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def covered(self) -> int:
        """How many branches."""
        return len(self._bits)

    @property
    def vectors(self) -> set[int]:
        """The numbers of the weight vectors that some test here was made under."""
        return {entry.vector for entry in self._entries.values() if entry.vector is not None}

    def add(
        self, branches: Collection[str], features: Sequence[str], vector: int | None, length: float
    ) -> None:
        """`good` is out of date until `settle`."""
        for branch in sorted(branch for branch in set(branches) if branch not in self._bits):
            self._bits[branch] = len(self._bits)
        bits = 0
        for branch in branches:
            bits |= 1 << self._bits[branch]
        if bits and bits not in self._entries:
            self._entries[bits] = Entry(bits, tuple(features), vector, length)

    def settle(self) -> None:
        """Find the good tests, and forget what is too much."""
        entries = list(self._entries.values())
        self.good = [entries[position] for position in set_cover(list(self._entries))]
        if len(self._entries) > self._capacity:
            by_size = sorted(self._entries, key=int.bit_count, reverse=True)
            first = dict.fromkeys([*(entry.branches for entry in self.good), *by_size])
            keep = set(list(first)[: max(self._capacity, len(self.good))])
            self._entries = {bits: entry for bits, entry in self._entries.items() if bits in keep}

    def state(self) -> Json:
        names = dict.fromkeys(name for entry in self._entries.values() for name in entry.features)
        number = {name: place for place, name in enumerate(names)}
        return {
            "branches": list(self._bits),
            "features": list(names),
            "tests": [
                [f"{entry.branches:x}", [number[name] for name in entry.features], entry.vector, entry.length]
                for entry in self._entries.values()
            ],
        }

    def load(self, state: Json) -> None:
        names, branches = state["features"], state["branches"]
        entries: dict[int, Entry] = {}
        for digits, features, vector, length in state["tests"]:
            bits = int(digits, 16)
            if bits.bit_length() > len(branches) or not all(0 <= place < len(names) for place in features):
                raise ValueError("a test with branches or features that have no name")
            entries[bits] = Entry(bits, tuple(names[place] for place in features), vector, length)
        self._bits = {branch: place for place, branch in enumerate(branches)}
        self._entries = entries
        self.settle()
