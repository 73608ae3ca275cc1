"""The four ideas of FARLEAD, each on its own switch."""

from __future__ import annotations

from dataclasses import dataclass

from untrod.core.errors import UntrodError


@dataclass(frozen=True, slots=True)
class Ideas:
    """`shaping`: rewards between 0 and 1 for a step that changes what is left to be shown.

    `prediction`: an action's labels are known before it is taken. Drop those that falsify the formula; if
    none is left, the step before led to a dead end; if one makes it true, take it.

    `tail`: the learner's state is the last so many pairs of action and screen. 0: the screen alone.

    `labels`: a state that was never met starts from what its actions were worth elsewhere.
    """

    shaping: bool = True
    prediction: bool = True
    tail: int = 2
    labels: bool = True

    def __post_init__(self) -> None:
        if self.tail < 0:
            raise UntrodError(f"a tail of {self.tail} pairs", "give 0 for none, or a small number")


NONE = Ideas(shaping=False, prediction=False, tail=0, labels=False)
"""What the baselines know."""
