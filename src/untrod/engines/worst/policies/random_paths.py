"""A coin at every branch: what every other policy has to beat."""

from __future__ import annotations

from random import Random

from untrod.core.seeds import derive
from untrod.core.vocabulary import Json
from untrod.engines.worst.arena import Arena, Attempt
from untrod.engines.worst.policies.base import Lesson
from untrod.engines.worst.policies.paths import Guide, Paths
from untrod.learn.serialise import dump_random, load_random


class RandomPaths:
    """Leaves the tree of seen paths at random, so that no path comes twice."""

    name = "random"
    learning = False

    def __init__(self, seed: int) -> None:
        self.paths = Paths()
        self._rng = Random(derive(seed, self.name))

    def lessons(self, size: int) -> tuple[Lesson, ...]:
        return ()

    def grow(self, size: int, *, lesson: bool = False) -> None:
        self.paths.grow(size)

    def step(self, arena: Arena) -> Attempt | None:
        if arena.executor is None:
            return None
        prefix = self.paths.tree.virtual_run(lambda node, site: self._coin())
        if prefix is None:
            return None
        guide = Guide(self.paths.sites, lambda site: self._coin(), lambda site, taken: None)
        return self.paths.walk(arena, guide, prefix, self.name)

    def _coin(self) -> bool:
        return self._rng.random() < 0.5

    def offer(self, attempt: Attempt) -> None:
        """Learns nothing from anybody."""

    def state(self) -> Json:
        return {"paths": self.paths.state(), "random": dump_random(self._rng)}

    def load(self, state: Json) -> None:
        self.paths.load(state["paths"])
        load_random(self._rng, state["random"])
