"""What a person would do with a Karel program: give it a grid on which it does not crash.

The grid is made while the program asks for it (`demand.py`). `KarelExpert` is the explorer of that name;
`advise` is the teacher for imitation, which makes several grids and keeps the best.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from untrod.engines.explore.programs.karel.demand import Demand
from untrod.engines.explore.programs.karel.grids import CELLS, EAST, NORTH, SIZE, Grid
from untrod.engines.explore.programs.karel.language import Block, If, Program, While, branches_of
from untrod.engines.explore.programs.karel.world import KarelWorld


class Sides:
    """For each condition the masks of the goals on its two sides, where it holds and where it does not. Goals
    are numbered as in the text."""

    def __init__(self, program: Program) -> None:
        self._sides: dict[int, tuple[int, int]] = {}
        self._number(program.body, 0)

    def __getitem__(self, statement: While | If) -> tuple[int, int]:
        return self._sides[id(statement)]

    def _number(self, block: Block, first: int) -> int:
        for statement in block:
            sides = []
            for branch in branches_of(statement):
                last = self._number(branch.block or (), first + 1)
                sides.append((1 << last) - (1 << first))
                first = last
            if isinstance(statement, While | If):
                self._sides[id(statement)] = (sides[0], sides[1])
        return first


class KarelExpert:
    """The paper's expert cares for nothing but runs without errors: conditions are answered at random.
    `directed` cares for coverage, too: where only one side of a condition has something that was not
    reached yet, that is the side."""

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


COINS = 8
STARTS = ((SIZE // 2 * SIZE + SIZE // 2 - 1, NORTH), (7 * SIZE + 3, NORTH), (SIZE // 2 * SIZE, EAST))
MARKERS = 5


def advise(world: KarelWorld, seen: int, random: Random) -> Grid | None:
    """The best of several grids; None: nothing that was tried covers anything new.

    Grids are made as by the `directed` explorer: what the program asks for is decided toward what is missing.
    Where that leaves both answers open, they are tried: always yes, always no, alternating, at random. What
    the program does not ask for stays empty, and the hero begins in the same places: a student learns from
    teachers who always say the same thing in the same way.
    """
    left = world.counted & ~seen
    sides = Sides(world.program)
    best, most = None, 0
    for start, facing in STARTS:
        for answers in _answers(random):
            blank = Grid(bytes(CELLS), start, facing)
            decide = _Toward(left, sides, answers)
            grid = Demand(world.program, random, decide, blank=blank, markers=MARKERS).grid
            count = (world.run(grid) & left).bit_count()
            if count > most:
                best, most = grid, count
            if most == left.bit_count():
                return best
    return best


class _Toward:
    """Decides for the side with something that is missing, and counts what was decided for as covered."""

    def __init__(self, left: int, sides: Sides, answers: Iterator[bool]) -> None:
        self._left, self._sides, self._answers = left, sides, answers

    def __call__(self, statement: While | If) -> bool:
        sides = self._sides[statement]
        inside, outside = (bool(side & self._left) for side in sides)
        holds = next(self._answers) if inside == outside else inside
        taken = sides[0] if holds else sides[1]
        self._left &= ~(taken & -taken)  # its first goal is the branch itself
        return holds


def _answers(random: Random) -> Iterator[Iterator[bool]]:
    def turns(now: bool) -> Iterator[bool]:
        while True:
            yield now
            now = not now

    def always(answer: bool) -> Iterator[bool]:
        while True:
            yield answer

    def coins(chance: float) -> Iterator[bool]:
        while True:
            yield random.random() < chance

    yield from (turns(True), turns(False), always(True), always(False))
    for number in range(COINS):
        yield coins((0.5, 0.25, 0.75)[number % 3])
