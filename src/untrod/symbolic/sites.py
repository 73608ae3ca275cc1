"""Small numbers for the places where branches stand, given in the order in which they are first met."""

from __future__ import annotations

from collections.abc import Iterable

from untrod.core.vocabulary import Json
from untrod.symbolic.protocol import Branch, Location


class Sites:
    """Location -> number and back. The line does not matter: a comment above a function changes no number."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, int], int] = {}
        self.locations: list[Location] = []

    def __len__(self) -> int:
        return len(self.locations)

    def number(self, location: Location) -> int:
        known = self._numbers.get((location.unit, location.offset))
        if known is not None:
            return known
        self._numbers[location.unit, location.offset] = len(self.locations)
        self.locations.append(location)
        return len(self.locations) - 1

    def along(self, branches: Iterable[Branch]) -> list[int]:
        """The numbers of a whole path."""
        return [self.number(branch.location) for branch in branches]

    def state(self) -> Json:
        return [[location.unit, location.line, location.offset] for location in self.locations]

    def load(self, state: Json) -> None:
        sites = Sites()
        for unit, line, offset in state:
            sites.number(Location(str(unit), int(line), int(offset)))
        if len(sites) != len(state):
            raise ValueError("a place that has two numbers")
        self._numbers, self.locations = sites._numbers, sites.locations
