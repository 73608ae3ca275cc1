"""`random`: inputs drawn from types, one entry after the other."""

from __future__ import annotations

from random import Random

from untrod.core.vocabulary import Json
from untrod.engines.cover.exploration import Exploration
from untrod.engines.cover.values.kinds import Chance
from untrod.learn.frozen import dump_random, load_random

TRIES = 4
"""Draws that come up with an input that was run before may be repeated so often."""


class RandomArm:
    name = "random"
    is_dear = False

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)

    def ready(self, exploration: Exploration) -> bool:
        return True

    def begin(self, exploration: Exploration) -> None:
        pass

    def step(self, exploration: Exploration) -> bool:
        chance = Chance(self._rng, exploration.words)
        drawer = exploration.drawers[exploration.roster.choose(self._rng)]
        for _ in range(TRIES):
            given = drawer.draw(chance)
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
