"""The paper's Random."""

from __future__ import annotations

from random import Random

from untrod.engines.explore.worlds.world import World


class Chance:
    """Any link, with equal odds. Links that are not there cannot be drawn; in the Gymnasium environments they
    can, and waste a step."""

    name = "random"

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)

    def begin(self, world: World) -> None:
        pass

    def choose(self, world: World) -> int | None:
        return self._rng.choice(world.neighbours(world.here))
