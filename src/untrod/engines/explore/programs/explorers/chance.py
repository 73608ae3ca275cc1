"""Random: every input is drawn anew."""

from __future__ import annotations

from random import Random
from typing import Any

from untrod.engines.explore.programs.world import ProgramWorld


class Chance:
    name = "random"

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._world: ProgramWorld

    def begin(self, world: ProgramWorld) -> None:
        self._world = world

    def propose(self) -> Any:
        return self._world.inputs.draw(self._random)

    def observe(self, given: Any, mask: int) -> None: ...
