"""Action label learning (FARLEAD, section 3.3): what an action is worth anywhere.

A Q-value speaks about one state. In a state that was never met before, a learner knows nothing, although it
may have seen the same button a hundred times elsewhere. So a second pair of values is kept for each
*labelling* of an action, without a state, and moved along with the Q-values of every state where an action
of that labelling was taken. A pair of state and action that was never learned starts from it.

The paper copies the stateless Q1 when a new state is learned. Here both stateless values are what such a
pair is worth until it is learned: the policy reads it before that, and it reads the mean of both.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from untrod.core.vocabulary import Json
from untrod.learn.double_values import DoubleValues, Pair


class ActionLabels:
    """`labelling` says what is the same about actions in different states."""

    def __init__(self, labelling: Callable[[Any], Hashable] = lambda action: action) -> None:
        self._labelling = labelling
        self._values = DoubleValues()

    def __len__(self) -> int:
        return len(self._values)

    def pair(self, action: Hashable) -> Pair:
        return self._values.pair(self._labelling(action))

    def move(self, action: Hashable, change: float, *, bound: float, doubleness: float) -> None:
        self._values.move(self._labelling(action), change, bound=bound, doubleness=doubleness)

    def swap(self) -> None:
        self._values.swap()

    def state(self) -> Json:
        return self._values.state()

    def load(self, state: Json) -> None:
        self._values.load(state)
