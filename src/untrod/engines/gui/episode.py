"""One episode as it went."""

from __future__ import annotations

from dataclasses import dataclass, field

from untrod.drivers.protocol import Action, Screen, Step
from untrod.ltl import Judgement, Letter, Monitor, Verdict


@dataclass(slots=True)
class GuiEpisode:
    """`letters`, `steps` and `rewards` run in parallel, but for the first letter: that of the reset.

    A step that the application refused (its widget had gone, or something was in the way) was not taken: it
    is counted in `refused`, and is no part of the trace.
    """

    start: Screen
    monitor: Monitor | None = field(default=None, repr=False)  # what is left of the formula
    letters: list[Letter] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    refused: int = 0
    dead_end: bool = False
    judgement: Judgement | None = None

    @property
    def satisfied(self) -> bool:
        return self.judgement is not None and self.judgement.verdict is Verdict.SATISFIED

    @property
    def actions(self) -> list[Action]:
        """The test: what to do after a reset."""
        return [step.action for step in self.steps]

    @property
    def cost(self) -> int:
        """Actions tried, the reset not counted."""
        return len(self.steps) + self.refused
