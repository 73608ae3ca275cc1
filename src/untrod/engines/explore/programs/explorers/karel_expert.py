"""What a person would do with a Karel program: give it a grid on which it does not crash.

The grid is made while the program asks for it (`demand.py`). The paper's expert cares for nothing but runs
without errors: conditions are answered by a coin. `directed` cares for coverage, too: where only one side of
a condition has something that was not reached yet, that is the side.
"""

from __future__ import annotations

from random import Random

from untrod.engines.explore.programs.karel.demand import Demand
from untrod.engines.explore.programs.karel.grids import Grid
from untrod.engines.explore.programs.karel.nodes import If, While
from untrod.engines.explore.programs.karel.sides import Sides
from untrod.engines.explore.programs.karel.world import KarelWorld


class KarelExpert:
    def __init__(self, seed: int, directed: bool = False) -> None:
        self.name = "directed" if directed else "expert"
        self._directed = directed
        self._random = Random(seed)
        self._world: KarelWorld
        self._seen = 0
        self._sides: Sides

    def begin(self, world: KarelWorld) -> None:
        self._world = world
        self._seen = 0
        self._sides = Sides(world.program)

    def observe(self, given: Grid, mask: int) -> None:
        self._seen |= mask

    def propose(self) -> Grid:
        return Demand(self._world.program, self._random, self._decide).grid

    def _decide(self, statement: While | If) -> bool:
        coin = self._random.random() < 0.5
        if not self._directed:
            return coin
        new = self._world.counted & ~self._seen
        inside, outside = (bool(side & new) for side in self._sides[statement])
        return coin if inside == outside else inside
