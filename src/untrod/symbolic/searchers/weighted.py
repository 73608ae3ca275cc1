"""What KLEE calls non-uniform random search: states drawn in proportion to a weight."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from untrod.symbolic.protocol import State
from untrod.symbolic.searchers.knowledge import Knowledge
from untrod.symbolic.searchers.weights import Weights


class Weighted:
    """Subclasses differ in `weight` alone. `follows_knowledge`: waiting states are weighed again when more is
    covered; otherwise a state keeps the weight with which it came, as in KLEE."""

    follows_knowledge = False

    def __init__(self, seed: int, knowledge: Knowledge) -> None:
        self._random = Random(seed)
        self._weights = Weights()
        self._version = knowledge.version
        self.knowledge = knowledge

    def weight(self, state: State) -> float:
        """Positive."""
        raise NotImplementedError

    def add(self, states: Iterable[State]) -> None:
        for state in states:
            self._weights.put(state, self.weight(state))

    def remove(self, ids: Iterable[int]) -> None:
        for number in ids:
            self._weights.remove(number)

    def select(self) -> State:
        if self.follows_knowledge and self._version != self.knowledge.version:
            self._version = self.knowledge.version
            self.add(self._weights.states())
        return self._weights.draw(self._random)

    def __len__(self) -> int:
        return len(self._weights)
