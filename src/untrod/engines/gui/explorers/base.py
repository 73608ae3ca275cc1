"""What a way of choosing actions promises the agent.

explorer.begin(screen)                       # what the reset showed
while ...:
    action = explorer.choose(actions)        # never empty
    explorer.observe(step, reward)           # also for a step that the agent took unasked
explorer.end()                               # after a `dead_end`, perhaps
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from untrod.core.vocabulary import Json
from untrod.drivers.protocol import Action, Screen, Step
from untrod.ltl import Formula, Progression


class Explorer(Protocol):
    """Deterministic for its seed and for what it is shown."""

    @property
    def name(self) -> str: ...

    def begin(self, screen: Screen) -> None: ...

    def choose(self, actions: Sequence[Action]) -> Action: ...

    def observe(self, step: Step, reward: float) -> None: ...

    def dead_end(self) -> None:
        """The step observed last has led to where no action is left."""
        ...

    def end(self) -> None: ...

    def state(self) -> Json: ...

    def load(self, state: Json) -> None: ...


@runtime_checkable
class Aiming(Protocol):
    """An explorer that wants to know the formula, too. Most do not: what they know of it is their reward."""

    def aim(self, progression: Progression, definite: bool) -> None:
        """Which formula it is, and whether the end of a trace may satisfy it. Once, before all episodes."""
        ...

    def outlook(self, rest: Formula, left: int) -> None:
        """Before each choice: what is left of the formula, and how many steps the episode has left."""
        ...
