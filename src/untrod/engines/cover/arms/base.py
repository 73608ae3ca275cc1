"""What an arm promises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from untrod.core.vocabulary import Json

if TYPE_CHECKING:
    from untrod.engines.cover.exploration import Exploration


class Arm(Protocol):
    """A turn is `begin`, some calls of `step`, `end`. Everything else an arm needs to know, the exploration
    has: the archive of inputs, what is covered, the entries."""

    name: str
    is_dear: bool
    """A step may take as long as a turn of the others. So its turns are over when `step` says so, and it
    waits until the cheap arms have found what is easy. The turns of cheap ones end after a while."""

    def begin(self, exploration: Exploration) -> None: ...

    def step(self, exploration: Exploration) -> bool:
        """At most one real run, by `exploration.run`. False when the turn is over of its own accord."""
        ...

    def end(self, exploration: Exploration) -> None: ...

    def ready(self, exploration: Exploration) -> bool:
        """Is there anything for it to do now?"""
        ...

    def recall(self, state: Json) -> None:
        """Take over what an arm of the same name had learned in an earlier campaign; None: nothing."""
        ...

    def state(self) -> Json: ...

    def load(self, state: Json) -> None: ...
