"""`mutate`: inputs that came close to an untaken branch, changed a little."""

from __future__ import annotations

from random import Random

from untrod.core.vocabulary import Json
from untrod.engines.cover.arms.chance import TRIES
from untrod.engines.cover.exploration import Exploration
from untrod.engines.cover.values.kinds import Chance
from untrod.learn.frozen import dump_random, load_random


class MutationArm:
    """A small greybox fuzzer. Which input to change, the archive says."""

    name = "mutate"
    is_dear = False

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)

    def ready(self, exploration: Exploration) -> bool:
        return len(exploration.archive) > 0

    def begin(self, exploration: Exploration) -> None:
        pass

    def step(self, exploration: Exploration) -> bool:
        archive = exploration.archive
        parent = archive.choose(self._rng)
        mates = archive.of(parent.entry)
        drawer = exploration.drawers[parent.entry]
        chance = Chance(self._rng, exploration.words)
        for _ in range(TRIES):
            given = drawer.mutate(parent, mates, chance)
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
