"""Cost against size, for the worst input and for the average one: what growth says about a whole hunt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from untrod.core.vocabulary import Json
from untrod.engines.worst.fits import Point
from untrod.engines.worst.growth import Growth, differ, fit, plausible
from untrod.engines.worst.place import Place


@dataclass(frozen=True, slots=True)
class Curves:
    places: tuple[Place, ...]
    worst_points: tuple[Point, ...]
    average_points: tuple[Point, ...]
    worst: Growth
    average: Growth

    @classmethod
    def of(cls, bodies: Sequence[Json]) -> Curves:
        """From places as they travel in JSON; of two at one size, as two shards have them, the costlier."""
        chosen: dict[int, Place] = {}
        for place in (Place(**body) for body in bodies):
            if place.size not in chosen or place.cost > chosen[place.size].cost:
                chosen[place.size] = place
        places = tuple(place for _, place in sorted(chosen.items()))
        worst = tuple(point for place in places if (point := place.worst) is not None)
        average = tuple(point for place in places if (point := place.average) is not None)
        mean = fit(average)
        return cls(places, worst, average, plausible(fit(worst), mean), mean)

    @property
    def flat(self) -> bool:
        """Is there not one input that costs more than another?"""
        known = [place for place in self.places if place.samples and place.numbers]
        return bool(known) and all(
            place.cost * place.samples == place.total and place.cost == known[0].cost for place in known
        )

    @property
    def largest(self) -> Place | None:
        """The largest size whose worst input is known."""
        known = [place for place in self.places if place.worst is not None]
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

    def to_json(self) -> dict[str, Json]:
        return {
            "sizes": [_row(place) for place in self.places],
            "worst": self.worst.to_json(),
            "average": self.average.to_json(),
            "alarm": self.alarm(),
        }


def _row(place: Place) -> dict[str, Json]:
    average = place.average
    return {
        "size": place.size,
        "worst": place.cost if place.numbers else None,
        "average": round(average.cost, 1) if average is not None else None,
        "input": place.text,
        "by": place.by,
        "attempts": place.attempts,
        "raises": place.error,
        "closed": place.closed,
    }
