"""Programs compiled to one Python function each, which puts a bit into a mask for every branch it takes.

A closure for each statement would do; a single function, made as source text, runs several times faster,
since the hero's place is a local variable then. The source is made of our own phrases and of numbers: nothing
that a person wrote gets into it.

Rules, where the language leaves them open: a wall or the edge ahead ends the run at `move`, and so does
`pickMarker` where there is no marker: a crash. Every statement is a step, and every look at a `while`'s
condition is one more; after `STEPS` of them the run ends. Cells hold any number of markers.

The board has a border of walls, so that no step needs to look for the edge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

from untrod.engines.explore.programs.karel.grids import SIZE, WALL, Grid
from untrod.engines.explore.programs.karel.language import (
    Action,
    Block,
    Condition,
    If,
    Program,
    Repeat,
    While,
)

STEPS = 300
ENDED, CRASHED, OUT_OF_STEPS = "ended", "crashed", "out of steps"
_WIDTH = SIZE + 2
_AHEAD = (-_WIDTH, 1, _WIDTH, -1)
_EDGE = bytes([WALL] * _WIDTH)
_CONDITIONS = {
    "frontIsClear": f"board[place + AHEAD[facing]] < {WALL}",
    "leftIsClear": f"board[place + AHEAD[facing - 1]] < {WALL}",
    "rightIsClear": f"board[place + AHEAD[facing - 3]] < {WALL}",
    "markersPresent": "markers[place]",
    "noMarkersPresent": "not markers[place]",
}
_ACTIONS = {
    "move": (
        "ahead = place + AHEAD[facing]",
        f"if board[ahead] == {WALL}: return seen, CRASHED, place, facing",
        "place = ahead",
    ),
    "turnLeft": ("facing = facing - 1 & 3",),
    "turnRight": ("facing = facing + 1 & 3",),
    "pickMarker": (
        "if not markers[place]: return seen, CRASHED, place, facing",
        "markers[place] -= 1",
    ),
    "putMarker": ("markers[place] += 1",),
}
_STEP = ("left -= 1", "if left < 0: return seen, OUT_OF_STEPS, place, facing")


@dataclass(frozen=True, slots=True)
class KarelRun:
    mask: int
    end: str  # ended, crashed, or out of steps
    hero: int
    facing: int
    markers: tuple[int, ...]  # of every cell; 0 for walls


class Machine:
    """A compiled program."""

    def __init__(self, program: Program, steps: int = STEPS) -> None:
        source = "\n".join(
            [
                "def run(board, markers, place, facing, left):",
                "    seen = 0",
                *(f"    {line}" for line in _block(program.body, count())),
                "    return seen, ENDED, place, facing",
            ]
        )
        names: dict[str, Any] = {
            "AHEAD": _AHEAD,
            "ENDED": ENDED,
            "CRASHED": CRASHED,
            "OUT_OF_STEPS": OUT_OF_STEPS,
        }
        exec(compile(source, "<karel>", "exec"), names)
        self._function: Callable[..., tuple[int, str, int, int]] = names["run"]
        self._steps = steps

    def mask(self, grid: Grid) -> int:
        """The branches taken."""
        board = _board(grid)
        return self._function(board, list(board), _place(grid.hero), grid.facing, self._steps)[0]

    def run(self, grid: Grid) -> KarelRun:
        """The same, with everything else about how it ended."""
        board = _board(grid)
        markers = list(board)
        mask, end, place, facing = self._function(board, markers, _place(grid.hero), grid.facing, self._steps)
        cells = [0 if board[_place(cell)] == WALL else markers[_place(cell)] for cell in range(SIZE * SIZE)]
        hero = (place // _WIDTH - 1) * SIZE + place % _WIDTH - 1
        return KarelRun(mask, end, hero, facing, tuple(cells))


def _board(grid: Grid) -> bytes:
    cells, wall = grid.cells, _EDGE[:1]
    rows = [wall + cells[start : start + SIZE] + wall for start in range(0, SIZE * SIZE, SIZE)]
    return _EDGE + b"".join(rows) + _EDGE


def _place(cell: int) -> int:
    return (cell // SIZE + 1) * _WIDTH + cell % SIZE + 1


def _block(block: Block, numbers: Iterator[int]) -> Iterator[str]:
    for statement in block:
        yield from _STEP
        match statement:
            case Action(name):
                yield from _ACTIONS[name]
            case Repeat(times, body):
                yield f"for _ in range({times}):"
                yield from _branch(body, numbers)
            case While(condition, body):
                yield "while True:"
                yield from (f"    {line}" for line in _STEP)
                inside = list(_branch(body, numbers))
                yield f"    if not ({_condition(condition)}): seen |= {1 << next(numbers)}; break"
                yield from inside
            case If(condition, then, otherwise):
                yield f"if {_condition(condition)}:"
                yield from _branch(then, numbers)
                yield "else:"
                yield from _branch(otherwise or (), numbers)


def _branch(block: Block, numbers: Iterator[int]) -> Iterator[str]:
    """The lines of a block, numbered as in `nodes.branches`, where the branch comes before what is inside."""
    yield f"    seen |= {1 << next(numbers)}"
    yield from (f"    {line}" for line in _block(block, numbers))


def _condition(of: Condition) -> str:
    phrase = _CONDITIONS[of.name]
    return f"not ({phrase})" if of.negated else phrase
