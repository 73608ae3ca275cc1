"""Cost against size: what is known at each size, and the curves of the worst and the average cost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from untrod.core.vocabulary import Json
from untrod.engines.worst.counts import SizeCounts, WorstCounts
from untrod.engines.worst.growth import Growth, Point, differ, fit, plausible

TIMED_OUT = "timed out"
NOTHING_LEFT = "nothing left to try"


@dataclass
class SizeRecord:
    """What is known at one size: the worst input so far, and the average."""

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


@dataclass(frozen=True, slots=True)
class Curves:
    """What growth says about a whole search."""

    records: tuple[SizeRecord, ...]
    worst_points: tuple[Point, ...]
    average_points: tuple[Point, ...]
    worst: Growth
    average: Growth

    @classmethod
    def of(cls, bodies: Sequence[Json]) -> Curves:
        """From records as they travel in JSON; of two at one size, as two shards have them, the costlier."""
        chosen: dict[int, SizeRecord] = {}
        for record in (SizeRecord(**body) for body in bodies):
            if record.size not in chosen or record.cost > chosen[record.size].cost:
                chosen[record.size] = record
        records = tuple(record for _, record in sorted(chosen.items()))
        worst = tuple(point for record in records if (point := record.worst) is not None)
        average = tuple(point for record in records if (point := record.average) is not None)
        mean = fit(average)
        return cls(records, worst, average, plausible(fit(worst), mean), mean)

    @property
    def flat(self) -> bool:
        """Is there not one input that costs more than another?"""
        known = [record for record in self.records if record.samples and record.numbers]
        return bool(known) and all(
            record.cost * record.samples == record.total and record.cost == known[0].cost for record in known
        )

    @property
    def largest(self) -> SizeRecord | None:
        """The largest size whose worst input is known."""
        known = [record for record in self.records if record.worst is not None]
        return known[-1] if known else None

    def alarm(self) -> str:
        """A line when the worst input grows by a higher class than the average, else nothing."""
        if not differ(self.worst, self.average, self.worst_points, self.average_points):
            return ""
        first, last = self.worst_points[0].size, self.worst_points[-1].size
        return (
            f"the worst input grows like {self.worst.name}, the average one like {self.average.name} "
            f"(sizes {first} to {last})"
        )

    def counts(self) -> WorstCounts:
        """That part of what a campaign counts."""
        return {
            "sizes": [_size_counts(record) for record in self.records],
            "worst": self.worst.counts(),
            "average": self.average.counts(),
            "alarm": self.alarm(),
        }


def _size_counts(record: SizeRecord) -> SizeCounts:
    average = record.average
    return {
        "size": record.size,
        "worst": record.cost if record.numbers else None,
        "average": round(average.cost, 1) if average is not None else None,
        "input": record.text,
        "by": record.by,
        "attempts": record.attempts,
        "raises": record.error,
        "closed": record.closed,
    }
