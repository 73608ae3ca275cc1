"""What the arms that draw have in common: a turn is some runs, of inputs that were not run before."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from untrod.core.vocabulary import Json
from untrod.engines.cover.case import Input
from untrod.engines.cover.exploration import Exploration
from untrod.learn.serialise import dump_random, load_random

TRIES = 4
"""Draws that come up with an input that was run before may be repeated so often."""


class CheapArm:
    """Derive, and propose: `step` is to call `_run`."""

    is_dear = False

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)

    def begin(self, exploration: Exploration) -> None:
        pass

    def _run(self, exploration: Exploration, propose: Callable[[], Input]) -> bool:
        for _ in range(TRIES):
            given = propose()
            if exploration.is_fresh(given):
                break
        exploration.run(given)
        return True

    def end(self, exploration: Exploration) -> None:
        pass

    def recall(self, state: Json) -> None:
        """Another campaign is to draw something else."""

    def state(self) -> Json:
        return dump_random(self._rng)

    def load(self, state: Json) -> None:
        load_random(self._rng, state)
