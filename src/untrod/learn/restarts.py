"""Rounds without pruning: what starting again is worth by itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from random import Random

from untrod.core.vocabulary import Json
from untrod.learn.pruning import RoundPlan, RoundTest, Settings
from untrod.learn.serialise import dump_random, load_random


class Restarts:
    """The second naive method of HOMI's section 4.4: lengths are uniform draws, nothing is dropped."""

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
