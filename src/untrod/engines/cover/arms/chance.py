"""`random`: inputs drawn from types, one entry after the other."""

from __future__ import annotations

from untrod.engines.cover.arms.cheap import CheapArm
from untrod.engines.cover.exploration import Exploration
from untrod.engines.cover.values.kinds import Chance


class RandomArm(CheapArm):
    name = "random"

    def ready(self, exploration: Exploration) -> bool:
        return True

    def step(self, exploration: Exploration) -> bool:
        chance = Chance(self._rng, exploration.words)
        drawer = exploration.drawers[exploration.roster.choose(self._rng)]
        return self._run(exploration, lambda: drawer.draw(chance))
