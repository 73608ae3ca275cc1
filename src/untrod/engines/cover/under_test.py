"""What the search needs to know of what is under test, be it Python modules or a C program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from untrod.core.protocols import Beacon
from untrod.core.vocabulary import Json
from untrod.core.vocabulary import Outcome as Ending
from untrod.engines.cover.case import Arc, Case, Input

if TYPE_CHECKING:
    from untrod.engines.cover.subject import Run
    from untrod.engines.cover.values.kinds import Chance


class Branches(Protocol):
    """An atlas: all the arcs that count. Sets of them are ints, a bit for each."""

    @property
    def arcs(self) -> tuple[Arc, ...]: ...

    @property
    def total(self) -> int: ...

    def named(self, bits: int) -> frozenset[Arc]: ...

    def covered(self, bits: int) -> int: ...

    def untaken(self, bits: int) -> list[Arc]: ...

    def describe(self, arc: Arc) -> str: ...

    def line(self, module: str, number: int) -> str: ...


class Drawing(Protocol):
    """Makes inputs of one entry by chance. `dread`: what had to be stopped, and how much rarer it is now."""

    dread: dict[str, float]

    def stopped(self, given: Input) -> bool:
        """It had to be stopped, in its last step. Is there something in it that can be avoided?"""
        ...

    def slowed(self, given: Input) -> bool:
        """It took long, with large numbers in it; from now on these are avoided. False: there are none."""
        ...

    def draw(self, chance: Chance) -> Input: ...

    def mutate(self, given: Input, mates: Sequence[Input], chance: Chance) -> Input: ...


class UnderTest(Protocol):
    """A subject: every real run goes through here. `imported` are the arcs that every test takes."""

    imported: int
    runs: int
    valid: int
    untested: set[int]
    passed_over: set[int]

    @property
    def atlas(self) -> Branches: ...

    @property
    def beacon(self) -> Beacon: ...

    @property
    def drawers(self) -> Mapping[str, Drawing]: ...

    @property
    def taken(self) -> Mapping[str, Any]: ...

    def cpu(self) -> float:
        """Seconds that have been used on it, in whatever process."""
        ...

    def begin(self) -> int: ...

    def run(self, given: Input, number: int | None = None) -> Run: ...

    def forget_caches(self) -> None: ...

    def case(self, run: Run, by: str) -> tuple[Case, int]: ...

    def trouble(self, run: Run) -> dict[str, Json] | None: ...

    def ending(self, run: Run) -> Ending: ...
