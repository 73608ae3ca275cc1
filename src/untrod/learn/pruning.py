"""Which states to drop: what everybody who decides that promises.

Symbolic execution forks more states than anyone can follow. A `Pruning` works in rounds, like this:

    while budget lasts:
        plan = pruning.begin_round()
        start again from the initial state, and for `plan.length`:
            now and then: drop the states that `pruning.prune(live states)` names; make a test of each
            make a test of each path that ends
        make a test of each state that is left
        run the tests for real, and tell `pruning.end_round` what they covered

Each test carries the number that `pruning.serving` had when the test was made. Nothing here knows what a
state is. It has a number and *features*: names of facts about it, the same names in every round. For symbolic
execution these are the core conditions of its path: lvalue = constant, and `and` and `or` of those.

`Homi` learns what to drop. The others are what it has to beat: `RandomPruning`, `Restarts`, `Unpruned`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Json


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """What the next round is to be."""

    number: int
    length: float | None
    """In whatever `Settings.lengths` are: seconds, or paths. None: as long as the budget lasts."""
    method: str
    """Where this round's decisions come from, for people to read."""


@dataclass(frozen=True, slots=True)
class RoundTest:
    """A test of the round, after it was run for real."""

    branches: Collection[str]
    features: Sequence[str]
    """Of its path, in the order of the path."""
    vector: int | None = None
    """What `serving` was when the test was made."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The paper's values. Its lengths are seconds of a five-hour run: short budgets need short lengths."""

    ratios: tuple[float, ...] = (0.2, 0.4, 0.6)
    lengths: tuple[float, ...] = (200.0, 400.0, 600.0, 800.0)
    features: int = 200
    vectors: int = 50
    """Weight vectors drawn in a round, one for each prune; then they come round again."""
    warm_up: int = 10
    """So many rounds only explore."""
    opposites: int = 100
    """Uniform draws, of which the one farthest from a learned draw is its opposite."""
    memory: int = 2_000
    """Tests with different coverage that are remembered; not in the paper, which keeps all."""

    def __post_init__(self) -> None:
        if not self.ratios or not all(0.0 <= ratio < 1.0 for ratio in self.ratios):
            raise UntrodError(f"ratios {self.ratios} are no shares", "give numbers from 0 to below 1")
        if not self.lengths or not all(length > 0.0 for length in self.lengths):
            raise UntrodError(f"lengths {self.lengths} are no lengths of rounds", "give numbers above 0")
        if min(self.features, self.vectors, self.opposites, self.memory) < 1 or self.warm_up < 0:
            raise UntrodError("features, vectors, opposites and memory start at 1", "give larger numbers")


class Pruning(Protocol):
    """See the module's text."""

    name: str

    @property
    def serving(self) -> int | None:
        """The number of what decided the last prune of this round; None if there was none."""
        ...

    def begin_round(self) -> RoundPlan:
        """A round that was not ended is forgotten."""
        ...

    def prune(self, states: Mapping[int, Collection[str]]) -> list[int]:
        """Which of the live states to drop, the least promising first. A state's features do not repeat."""
        ...

    def end_round(self, tests: Sequence[RoundTest]) -> None:
        """What the round came to. The order of the tests decides between equals."""
        ...

    def state(self) -> Json:
        """Everything learned, random state included: `load(state())` continues bit for bit."""
        ...

    def load(self, state: Json) -> None:
        """Raises ValueError or KeyError when `state` is not one of its own."""
        ...
