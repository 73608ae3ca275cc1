"""Runs a program on a grid that is decided while the program asks for it.

The hero stands somewhere on a grid of which nothing is known but its edge. A `move` makes the cell ahead
free, a `pickMarker` puts a marker where none was decided: so the run does not crash as long as anything is
open. A condition on something that is still open is answered by `decide`. At the end, what nobody asked for
is filled in at random, and the grid, run for real, takes the same path.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from untrod.engines.explore.programs.karel.grids import CELLS, SIZE, WALL, Grid, Grids
from untrod.engines.explore.programs.karel.language import (
    Action,
    Block,
    Condition,
    If,
    Program,
    Repeat,
    While,
)
from untrod.engines.explore.programs.karel.running import STEPS

_AHEAD = ((-1, 0), (0, 1), (1, 0), (0, -1))

Decide = Callable[[While | If], bool]
"""Whether the condition of this statement shall hold, where the grid leaves it open."""


class _Over(Exception):
    """Crashed, or out of steps."""


class Demand:
    """One run. `grid` is what has come of it.

    What nobody asks for is as on `blank`, or at random; where markers are asked for, there are so many, or
    some number by chance.
    """

    def __init__(
        self,
        program: Program,
        random: Random,
        decide: Decide,
        steps: int = STEPS,
        blank: Grid | None = None,
        markers: int | None = None,
    ) -> None:
        self._random = random
        self._decide = decide
        self._left = steps
        self._markers = markers
        self._blank = blank or Grids().draw(random)
        self._start, self._facing = self._blank.hero, blank.facing if blank else random.randrange(4)
        self._row, self._column, self._looks = self._start // SIZE, self._start % SIZE, self._facing
        self._wall: dict[int, bool] = {self._start: False}
        self._given: dict[int, int] = {}  # markers at the beginning, where decided
        self._change: dict[int, int] = {}  # markers put and picked since
        try:
            self._run(program.body)
        except _Over:
            pass

    @property
    def grid(self) -> Grid:
        cells = bytearray(self._blank.cells)
        for cell in range(CELLS):
            if self._wall.get(cell):
                cells[cell] = WALL
            elif cell in self._given:
                cells[cell] = self._given[cell]
            elif cells[cell] == WALL and cell in self._wall:
                cells[cell] = 0
        return Grid(bytes(cells), self._start, self._facing)

    def _run(self, block: Block) -> None:
        for statement in block:
            self._step()
            match statement:
                case Action(name):
                    self._act(name)
                case Repeat(times, body):
                    for _ in range(times):
                        self._run(body)
                case If(condition, then, otherwise):
                    self._run(then if self._holds(condition, statement) else otherwise or ())
                case While(condition, body):
                    self._step()
                    while self._holds(condition, statement):
                        self._run(body)
                        self._step()

    def _step(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise _Over

    def _act(self, name: str) -> None:
        here = self._row * SIZE + self._column
        match name:
            case "turnLeft":
                self._looks = (self._looks - 1) % 4
            case "turnRight":
                self._looks = (self._looks + 1) % 4
            case "move":
                ahead = self._cell(0)
                if ahead is None or self._wall.setdefault(ahead, False):
                    raise _Over
                self._row, self._column = divmod(ahead, SIZE)
            case "putMarker":
                self._given.setdefault(here, 0)
                self._change[here] = self._change.get(here, 0) + 1
            case _:
                self._given.setdefault(here, self._some())
                if self._given[here] + self._change.get(here, 0) == 0:
                    raise _Over
                self._change[here] = self._change.get(here, 0) - 1

    def _holds(self, condition: Condition, statement: While | If) -> bool:
        return self._true(condition.name, condition.negated, statement) != condition.negated

    def _true(self, name: str, negated: bool, statement: While | If) -> bool:
        """Whether what `name` says is so; where that is open, it is decided first."""
        if "arkersPresent" in name:
            here = self._row * SIZE + self._column
            if here not in self._given:
                present = (self._decide(statement) != negated) == (name == "markersPresent")
                self._given[here] = self._some() if present else 0
            some = self._given[here] + self._change.get(here, 0) > 0
            return some == (name == "markersPresent")
        cell = self._cell({"frontIsClear": 0, "leftIsClear": -1, "rightIsClear": 1}[name])
        if cell is None:
            return False
        if cell not in self._wall:
            self._wall[cell] = (self._decide(statement) != negated) is False
        return not self._wall[cell]

    def _some(self) -> int:
        return self._markers or self._random.randint(1, 9)

    def _cell(self, turn: int) -> int | None:
        """The cell on that side of the hero; None beyond the edge."""
        down, right = _AHEAD[(self._looks + turn) % 4]
        row, column = self._row + down, self._column + right
        return row * SIZE + column if 0 <= row < SIZE and 0 <= column < SIZE else None
