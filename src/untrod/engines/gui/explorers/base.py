"""What an explorer does for the agent, and how actions are keys of its tables.

explorer.begin(screen)                       # what the reset showed
while ...:
    action = explorer.choose(actions)        # never empty
    explorer.observe(step, reward)           # also for a step that the agent took unasked
explorer.learn(episode)                      # it is over, and judged; after a `dead_end`, perhaps
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias, runtime_checkable

from untrod.core.vocabulary import Json
from untrod.drivers.protocol import Action, Screen, Step
from untrod.engines.gui.episode import GuiEpisode
from untrod.ltl import Formula, Progression

ActionKey: TypeAlias = tuple[str, str, str, str, str]
"""An action as a learner's table and JSON can hold it: type, detail, value, and the two halves of its
locator."""


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

    def learn(self, episode: GuiEpisode) -> None:
        """Once after each episode. Its steps were observed already."""
        ...

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


OPTIONAL = (Aiming,)


def key(action: Action) -> ActionKey:
    strategy, place = action.target or ("", "")
    return action.type, action.detail, action.value, strategy, place


def labelling(of: ActionKey) -> tuple[str, ...]:
    """What is the same about an action on different screens: its type, value and detail.

    The locator says where it is, and so does not count, unless it is all there is to tell it by.
    """
    kind, detail, value, strategy, place = of
    return (kind, value, detail) if detail else (kind, value, strategy, place)
