"""Symbolic execution of Karel programs with Z3, as in the paper's appendix B.3: the exact solver.

Paths are extracted first: every condition splits a path in two, loops are unrolled at most three times.
They are ranked by how many goals they reach that no input has reached yet, and Z3 is asked, from the best
on, whether there is a grid that takes the path. After `CHECKS` refusals the explorer gives up and draws.

A path does not know where on the grid it begins, nor which way the hero looks there, and need not: relative
to the start, the hero's place at every point of a path is known, and so is which cell a condition looks at.
What a path needs are *facts* about cells relative to the start: this one is clear, that one is not, here
were so many markers. Unlike in the paper, answers that contradict the facts so far are not extracted at
all. One of the facts is that all the clear cells of a path lie on a grid of 8 by 8: a cell too far from
another one is not clear.

For Z3 the grid is an array from cells to numbers of markers, where other numbers than 0 to 9 are walls; the
hero's start and facing are integers. Paths know places relative to the start, ahead and to the right of it,
which the facing turns round.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

from untrod.core.errors import MissingExtra
from untrod.engines.explore.programs.karel.grids import CELLS, SIZE, WALL, Grid
from untrod.engines.explore.programs.karel.language import (
    Action,
    Block,
    Condition,
    If,
    Program,
    Repeat,
    Statement,
    While,
    branches_of,
)
from untrod.engines.explore.programs.karel.world import KarelWorld

UNROLLED = 3
MOST_PATHS = 2_000
MOST_STEPS = 300

Cell: TypeAlias = tuple[int, int]
"""Ahead of the start, and to the right of it."""
Fact: TypeAlias = tuple[str, Cell, int, bool]
"""`clear` or `markers`, a cell, what was put there less what was picked, and whether it holds."""

_AHEAD = ((1, 0), (0, 1), (-1, 0), (0, -1))
_TURNS = {"frontIsClear": 0, "leftIsClear": -1, "rightIsClear": 1}


@dataclass(frozen=True, slots=True)
class Path:
    facts: tuple[Fact, ...]
    mask: int


def paths(program: Program, most: int = MOST_PATHS) -> list[Path]:
    """Depth first, at most so many. The program is run anew for each, along answers that are known so far."""
    numbers: dict[tuple[int, str], int] = {}
    _number(program.body, 0, numbers)
    found: list[Path] = []
    waiting: list[list[bool]] = [[]]
    while waiting and len(found) < most:
        walk = _Walk(numbers, waiting.pop())
        try:
            walk.run(program.body)
        except _Over:
            pass
        found.append(Path(tuple(walk.facts), walk.mask))
        for place in walk.fresh:
            waiting.append([*walk.answers[:place], not walk.answers[place]])
    return found


def _number(block: Block, first: int, numbers: dict[tuple[int, str], int]) -> int:
    for statement in block:
        for branch in branches_of(statement):
            numbers[id(statement), branch.kind] = first
            first = _number(branch.block or (), first + 1, numbers)
    return first


class _Over(Exception):
    """The hero crashes whatever the grid, or has taken its steps."""


class _Walk:
    """One path. `fresh` are the places in `answers` where the other answer is still to be tried."""

    def __init__(self, numbers: dict[tuple[int, str], int], answers: list[bool]) -> None:
        self.facts: list[Fact] = []
        self.mask = 0
        self.answers = list(answers)
        self.fresh: list[int] = []
        self._numbers = numbers
        self._asked = 0
        self._left = MOST_STEPS
        self._here: Cell = (0, 0)
        self._looks = 0
        self._clear: dict[Cell, bool] = {(0, 0): True}
        self._extent = [(0, 0), (0, 0)]  # how far the clear cells reach, ahead and to the right
        self._change: dict[Cell, int] = {}
        self._between: dict[Cell, tuple[int, int]] = {}  # how many markers there were, at least and at most

    def run(self, block: Block) -> None:
        for statement in block:
            self._step()
            match statement:
                case Action(name):
                    self._act(name)
                case Repeat(times, body):
                    for _ in range(times):
                        self._take(statement, "repeat", body)
                case If(condition, then, otherwise):
                    if self._holds(condition):
                        self._take(statement, "then", then)
                    else:
                        self._take(statement, "skip" if otherwise is None else "else", otherwise or ())
                case While(condition, body):
                    turns = 0
                    self._step()
                    while self._holds(condition, False if turns >= UNROLLED else None):
                        turns += 1
                        self._take(statement, "body", body)
                        self._step()
                    self._take(statement, "leave", ())

    def _take(self, statement: Statement, kind: str, block: Block) -> None:
        self.mask |= 1 << self._numbers[id(statement), kind]
        self.run(block)

    def _step(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise _Over

    def _act(self, name: str) -> None:
        match name:
            case "turnLeft":
                self._looks = (self._looks - 1) % 4
            case "turnRight":
                self._looks = (self._looks + 1) % 4
            case "move":
                ahead = self._cell(0)
                if self._is_clear(ahead) is False:
                    raise _Over
                self._note_clear(ahead, True)
                self._here = ahead
            case "putMarker":
                self._change[self._here] = self._change.get(self._here, 0) + 1
            case _:
                if self._markers() is False:
                    raise _Over
                self._note_markers(True)
                self._change[self._here] = self._change.get(self._here, 0) - 1

    def _holds(self, condition: Condition, forced: bool | None = None) -> bool:
        """What `forced` says, or the next answer, unless the facts leave no choice."""
        turn = _TURNS.get(condition.name)
        cell = self._here if turn is None else self._cell(turn)
        known = self._markers() if turn is None else self._is_clear(cell)
        flipped = condition.negated != (condition.name == "noMarkersPresent")
        if known is not None:
            return known != flipped
        answer = self._answer() if forced is None else forced
        if turn is None:
            self._note_markers(answer != flipped)
        else:
            self._note_clear(cell, answer != flipped)
        return answer

    def _answer(self) -> bool:
        if self._asked == len(self.answers):
            self.fresh.append(self._asked)
            self.answers.append(True)
        self._asked += 1
        return self.answers[self._asked - 1]

    def _is_clear(self, cell: Cell) -> bool | None:
        """None if the facts do not say."""
        known = self._clear.get(cell)
        if known is None and any(
            max(high, at) - min(low, at) >= SIZE for (low, high), at in zip(self._extent, cell, strict=True)
        ):
            return False
        return known

    def _note_clear(self, cell: Cell, clear: bool) -> None:
        if cell in self._clear:
            return
        self._clear[cell] = clear
        self.facts.append(("clear", cell, 0, clear))
        if clear:
            pairs = zip(self._extent, cell, strict=True)
            self._extent = [(min(low, at), max(high, at)) for (low, high), at in pairs]

    def _markers(self) -> bool | None:
        """Whether there are markers here; None if the facts do not say."""
        least, most = self._between.get(self._here, (0, 9))
        change = self._change.get(self._here, 0)
        return True if least + change > 0 else False if most + change <= 0 else None

    def _note_markers(self, some: bool) -> None:
        least, most = self._between.get(self._here, (0, 9))
        change = self._change.get(self._here, 0)
        self._between[self._here] = (max(least, 1 - change), most) if some else (least, min(most, -change))
        self.facts.append(("markers", self._here, change, some))

    def _cell(self, turn: int) -> Cell:
        ahead, right = _AHEAD[(self._looks + turn) % 4]
        return self._here[0] + ahead, self._here[1] + right


CHECKS = 100
EFFORT = 2_000_000
"""Z3's own measure, about two seconds, for one path; one that takes more counts as refused."""


class KarelZ3:
    name = "z3"

    def __init__(self, seed: int) -> None:
        try:
            import z3  # type: ignore[import-untyped]
        except ImportError:
            raise MissingExtra("z3", "symbolic") from None
        self._z3: Any = z3
        self._random = Random(seed)
        self._world: KarelWorld
        self._seen = 0
        self._paths: list[Path] = []
        self.checks = 0

    def begin(self, world: KarelWorld) -> None:
        self._world = world
        self._seen = 0
        self._paths = paths(world.program)

    def observe(self, given: Grid, mask: int) -> None:
        self._seen |= mask

    def propose(self) -> Grid:
        new = self._world.counted & ~self._seen
        ranked = sorted(self._paths, key=lambda path: (-(path.mask & new).bit_count(), len(path.facts)))
        for path in ranked[:CHECKS]:
            if not path.mask & new:
                break
            grid = self._solve(path)
            if grid is not None:
                return grid
            self._paths.remove(path)
        return self._world.inputs.draw(self._random)

    def _solve(self, path: Path) -> Grid | None:
        z3 = self._z3
        self.checks += 1
        context = z3.Context()  # one that has answered before would answer otherwise
        solver = z3.Solver(ctx=context)
        solver.set("rlimit", EFFORT)
        row, column, facing = z3.Ints("row column facing", context)
        cells = z3.Array("cells", z3.IntSort(context), z3.IntSort(context))
        solver.add(facing >= 0, facing < 4)

        def place(ahead: int, right: int) -> tuple[Any, Any]:
            down = z3.If(facing == 0, -ahead, z3.If(facing == 1, right, z3.If(facing == 2, ahead, -right)))
            east = z3.If(facing == 0, right, z3.If(facing == 1, ahead, z3.If(facing == 2, -right, -ahead)))
            return row + down, column + east

        for fact in [("clear", (0, 0), 0, True), *path.facts]:
            kind, at, change, holds = fact
            y, x = place(*at)
            inside = z3.And(y >= 0, y < SIZE, x >= 0, x < SIZE)
            content = z3.Select(cells, y * SIZE + x)
            clear = z3.And(inside, content >= 0, content <= 9)
            true = clear if kind == "clear" else content + change > 0
            solver.add(true if holds else z3.Not(true))
        if solver.check() != z3.sat:
            return None
        model = solver.model()

        def number(of: Any) -> int:
            return int(model.eval(of, model_completion=True).as_long())

        hero = number(row) * SIZE + number(column)
        values = [number(z3.Select(cells, cell)) for cell in range(CELLS)]
        contents = bytes(value if 0 <= value <= 9 else WALL for value in values)
        return Grid(contents, hero, number(facing))
