"""`mutate`: inputs that came close to an untaken branch, changed a little."""

from __future__ import annotations

from untrod.engines.cover.arms.cheap import CheapArm
from untrod.engines.cover.exploration import Exploration
from untrod.engines.cover.values.kinds import Chance


class MutationArm(CheapArm):
    """A small greybox fuzzer. Which input to change, the archive says."""

    name = "mutate"

    def ready(self, exploration: Exploration) -> bool:
        return len(exploration.archive) > 0

    def step(self, exploration: Exploration) -> bool:
        archive = exploration.archive
        parent = archive.choose(self._rng)
        mates = archive.of(parent.entry)
        drawer = exploration.drawers[parent.entry]
        chance = Chance(self._rng, exploration.words)
        return self._run(exploration, lambda: drawer.mutate(parent, mates, chance))
