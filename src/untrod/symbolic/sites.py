"""Small numbers for the places where branches stand, given in the order in which they are first met."""

from __future__ import annotations

from collections.abc import Iterable

from untrod.core.vocabulary import Json
from untrod.symbolic.protocol import Branch, Location


class Sites:
    """Location -> number. The line is left out: a comment added above a function changes no number."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, int], int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def number(self, location: Location) -> int:
        return self._numbers.setdefault((location.unit, location.offset), len(self._numbers))

    def along(self, branches: Iterable[Branch]) -> list[int]:
        """The numbers of a whole path."""
        numbers, known = [], self._numbers
        for branch in branches:
            location = branch.location
            number = known.get((location.unit, location.offset))
            numbers.append(self.number(location) if number is None else number)
        return numbers

    def state(self) -> Json:
        return [[unit, offset] for unit, offset in self._numbers]

    def load(self, state: Json) -> None:
        numbers = {(str(unit), int(offset)): number for number, (unit, offset) in enumerate(state)}
        if len(numbers) != len(state):
            raise ValueError("a place that has two numbers")
        self._numbers = numbers
