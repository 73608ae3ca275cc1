"""Drawing in proportion to weights that come and go, in logarithmic time: a Fenwick tree over slots."""

from __future__ import annotations

from random import Random

from untrod.symbolic.protocol import State


class Weights:
    def __init__(self) -> None:
        self._sums = [0.0]  # from 1: each holds the sum of as many slots as its lowest bit says
        self._weights: list[float] = []
        self._states: list[State | None] = []
        self._slots: dict[int, int] = {}
        self._free: list[int] = []

    def __len__(self) -> int:
        return len(self._slots)

    def states(self) -> list[State]:
        return [state for state in self._states if state is not None]

    def put(self, state: State, weight: float) -> None:
        """Add the state, or give it another weight."""
        slot = self._slots.get(state.id)
        if slot is None:
            slot = self._slots[state.id] = self._free.pop() if self._free else self._grow()
            self._states[slot] = state
        self._change(slot, weight)

    def remove(self, number: int) -> None:
        slot = self._slots.pop(number, None)
        if slot is not None:
            self._change(slot, 0.0)
            self._states[slot] = None
            self._free.append(slot)

    def draw(self, random: Random) -> State:
        """Never called on an empty one."""
        size = len(self._weights)
        left = random.random() * self._sum(size)
        slot, step = 0, 1 << size.bit_length()
        while step := step >> 1:
            if slot + step <= size and self._sums[slot + step] <= left:
                slot += step
                left -= self._sums[slot]
        found = self._states[slot] if slot < size else None
        # Rounding may lead to an empty slot at the very end.
        return found if found is not None else self.states()[-1]

    def _grow(self) -> int:
        slot = len(self._weights)
        number = slot + 1
        lowest = number & -number
        self._sums.append(self._sum(slot) - self._sum(number - lowest))
        self._weights.append(0.0)
        self._states.append(None)
        return slot

    def _sum(self, count: int) -> float:
        """Of the first `count` slots."""
        total = 0.0
        while count:
            total += self._sums[count]
            count -= count & -count
        return total

    def _change(self, slot: int, weight: float) -> None:
        difference, self._weights[slot] = weight - self._weights[slot], weight
        number = slot + 1
        while number < len(self._sums):
            self._sums[number] += difference
            number += number & -number
