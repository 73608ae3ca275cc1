"""Pruning: which states of a symbolic execution to drop, decided in rounds.

Symbolic execution forks more states than anyone can follow. A `Pruning` works in rounds, like this
(HOMI, Algorithms 1 and 2):

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

`Homi` (`homi.py`) learns what to drop. What it has to beat is here, the naive methods of the paper's section
4.4: `RandomPruning`, `Restarts`, and `Unpruned`, which is symbolic execution as it was.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import floor
from random import Random
from typing import Protocol

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Json
from untrod.learn.serialise import dump_random, load_random


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


# -- the naive methods of section 4.4 ------------------------------------------------------------------


class Restarts:
    """The second naive method, what starting again is worth by itself: lengths are uniform draws, nothing is
    dropped."""

    name = "restarts"

    def __init__(self, seed: int, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self._rng = Random(seed)
        self._rounds = 0

    @property
    def serving(self) -> int | None:
        return None

    def begin_round(self) -> RoundPlan:
        plan = RoundPlan(self._rounds, self._rng.choice(self.settings.lengths), self.name)
        self._rounds += 1
        return plan

    def prune(self, states: Mapping[int, Collection[str]]) -> list[int]:
        return []

    def end_round(self, tests: Sequence[RoundTest]) -> None:
        pass

    def state(self) -> Json:
        return {"random": dump_random(self._rng), "rounds": self._rounds}

    def load(self, state: Json) -> None:
        rounds = int(state["rounds"])
        load_random(self._rng, state["random"])
        self._rounds = rounds


class RandomPruning(Restarts):
    """The first naive method, what dropping states is worth by itself: the same rounds and ratios, uniform,
    and any states.

    Its first round drops nothing, as HOMI's: the two differ in what is learned, and in nothing else.
    """

    name = "random"

    def prune(self, states: Mapping[int, Collection[str]]) -> list[int]:
        if self._rounds <= 1:
            return []
        ratio = self._rng.choice(self.settings.ratios)
        return self._rng.sample(sorted(states), share(len(states), ratio))


class Unpruned(Restarts):
    """One round, nothing dropped. It has no length: it lasts as long as the budget."""

    name = "none"

    def begin_round(self) -> RoundPlan:
        plan = RoundPlan(self._rounds, None, self.name)
        self._rounds += 1
        return plan


def share(count: int, ratio: float) -> int:
    """|S| * r, rounded down, but not because 0.6 is a little less than six tenths."""
    return floor(count * ratio + 1e-9)
