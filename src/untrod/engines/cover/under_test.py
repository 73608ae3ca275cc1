"""What the search needs to know of what is under test, be it Python modules or a C program."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from untrod.core.protocols import Beacon
from untrod.core.vocabulary import Json, Outcome
from untrod.engines.cover.case import Arc, Case, Driven, Input
from untrod.runtime.deadline import EpisodeTimeout

if TYPE_CHECKING:
    from untrod.engines.cover.values.kinds import DrawContext


@dataclass(frozen=True, slots=True)
class InputRun:
    """One real run. `arcs` are bits of the branch map; `valid` is False where the input could not even be
    made, or the code under test rejected it with `untrod`'s own `assume`."""

    given: Input
    arcs: int = 0
    valid: bool = True
    value: Any = None
    driven: Driven = ""
    error: BaseException | None = None
    raised: tuple[tuple[int, type[BaseException]], ...] = ()
    """What steps before the last one raised, by the number of the step."""
    number: int = 0
    refused: bool = False
    """The guard refused something that the code under test attempted, though the code may not have noticed;
    or the code has changed `builtins`."""
    driven_steps: tuple[tuple[int, Driven], ...] = ()
    """Steps, by number, that made something that had to be driven."""
    events: tuple[str, ...] = ()
    """Of the guard: what it has refused."""
    drew: bool = False
    """It drew random numbers or read a clock; known only where a `NondeterminismWatch` is on."""
    made: Any = None
    """What the first step made, and what the last one was called with: as they are afterwards."""
    arguments: tuple[Any, ...] = ()
    before: Mapping[str, Any] = field(default_factory=dict)
    """What the object held before the last step."""

    @property
    def testable(self) -> bool:
        """Can a test run it? Outside of a worker no guard refuses anything, and nothing stops what hangs."""
        return self.valid and not self.refused and not isinstance(self.error, EpisodeTimeout | MemoryError)


class Branches(Protocol):
    """A branch map: all the arcs that count. Sets of them are ints, a bit for each."""

    @property
    def arcs(self) -> tuple[Arc, ...]: ...

    @property
    def total(self) -> int: ...

    def named(self, bits: int) -> frozenset[Arc]: ...

    def bits_of(self, arcs: Iterable[Arc]) -> int: ...

    def covered(self, bits: int) -> int: ...

    def untaken(self, bits: int) -> list[Arc]: ...

    def describe(self, arc: Arc) -> str: ...

    def line(self, module: str, number: int) -> str: ...


class Drawing(Protocol):
    """Makes random inputs of one entry. `avoidance`: what had to be stopped, and how much rarer it is now."""

    avoidance: dict[str, float]
    is_private: bool
    """Its entry is called when nothing public was seen to reach it."""

    def open(self, names: Collection[str]) -> None:
        """These private methods may be called from now on."""
        ...

    def stopped(self, given: Input) -> bool:
        """It had to be stopped, in its last step. Is there something in it that can be avoided?"""
        ...

    def slowed(self, given: Input) -> bool:
        """It took long, with large numbers in it; from now on these are avoided. False: there are none."""
        ...

    def draw(self, context: DrawContext) -> Input: ...

    def mutate(self, given: Input, mates: Sequence[Input], context: DrawContext) -> Input: ...


class UnderTest(Protocol):
    """A subject: every real run goes through here. `imported` are the arcs that every test takes."""

    imported: int
    runs: int
    valid: int
    untested: set[int]
    """Episodes whose input kills the worker."""
    passed_over: set[int]
    """Episodes of which finding the input kills the worker."""

    @property
    def branch_map(self) -> Branches: ...

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

    def run(self, given: Input, number: int | None = None) -> InputRun: ...

    def instead(self, run: InputRun) -> Iterable[Input]:
        """Inputs that do what `run` did, without what the guard has refused there."""
        ...

    def unreached(self, covered: int) -> list[str]:
        """Private entries, and private methods as `entry.method`, that no run has entered."""
        ...

    def forget_caches(self) -> None: ...

    def case(self, run: InputRun, by: str) -> tuple[Case, int]:
        """What a run came to, and all that a test of it takes."""
        ...

    def finding(self, run: InputRun) -> dict[str, Json] | None:
        """What is to be told of a run that looks like a bug, or was stopped; None when nothing is."""
        ...

    def outcome(self, run: InputRun) -> Outcome: ...

    # -- for replays and reports ------------------------------------------------------------------

    def rerun(self, given: Input) -> InputRun:
        """A run that a test is to be made of: with everything watched that such a test must not depend on."""
        ...

    def stable_case(self, run: InputRun) -> Case | None:
        """Of a run by `rerun`: as much as holds whenever it is run; None where it may end in another way."""
        ...

    @property
    def about(self) -> Json:
        """What is needed to name the branches from outside; None where the source is enough."""
        ...

    def uncallable(self) -> Mapping[str, str]:
        """Entries that were never called since their arguments cannot be made, and why."""
        ...
