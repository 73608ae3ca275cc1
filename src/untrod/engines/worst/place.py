"""What is known at one size: the worst input so far, and the average."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field

from untrod.core.vocabulary import Json
from untrod.engines.worst.fits import Point


@dataclass
class Place:
    size: int
    cost: int = -1
    numbers: list[int] = field(default_factory=list)  # the worst input, as a trace has it
    text: str = ""  # the same as a call, to be read
    by: str = ""  # who found it
    error: str = ""  # what it raises
    attempts: int = 0
    since: int = 0  # attempts since the worst was found, or since this size's turn began
    drawn: int = 0  # random inputs ...
    samples: int = 0  # ... and how many of them could be run to the end
    total: float = 0.0
    squares: float = 0.0
    closed: str = ""  # why nothing more is tried here

    def sample(self, cost: int) -> None:
        self.samples += 1
        self.total += cost
        self.squares += cost * cost

    @property
    def worst(self) -> Point | None:
        """None where a run timed out: nobody knows what that one costs."""
        return Point(self.size, self.cost) if self.numbers and self.closed != TIMED_OUT else None

    @property
    def average(self) -> Point | None:
        """None where not all random inputs could be run: those that could are no fair sample."""
        if not self.samples or self.samples < self.drawn:
            return None
        mean = self.total / self.samples
        variance = max(0.0, self.squares / self.samples - mean * mean)
        return Point(self.size, mean, math.sqrt(variance / self.samples))

    def to_json(self) -> dict[str, Json]:
        return asdict(self)


TIMED_OUT = "timed out"
NOTHING_LEFT = "nothing left to try"
