"""Grids as inputs of Karel programs: walls, markers, and where the hero stands and looks.

random = Random(1)
grid = Grids().draw(random)
print(Grids().show(grid))       # # is a wall, a digit a number of markers, ^ > v < the hero
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from untrod.core.errors import UntrodError

SIZE = 8
CELLS = SIZE * SIZE
WALL = 10
"""A cell holds so many markers, 0 to 9, or this."""
NORTH, EAST, SOUTH, WEST = range(4)
FACINGS = ("north", "east", "south", "west")

WALLS = 0.2
MARKERS = 0.2
"""How likely a random cell has a wall; and if not, markers."""
MOST_WALLS = 0.4


@dataclass(frozen=True, slots=True)
class Grid:
    cells: bytes  # row by row, from the north-west
    hero: int  # the number of a cell that is no wall
    facing: int

    def __post_init__(self) -> None:
        good = len(self.cells) == CELLS and max(self.cells) <= WALL and 0 <= self.facing < 4
        if not good or not 0 <= self.hero < CELLS or self.cells[self.hero] == WALL:
            raise UntrodError(
                f"{self!r:.60} is no grid", f"{CELLS} cells from 0 to {WALL}, the hero on a free one"
            )


class Grids:
    """A row is: the hero's cell, the facing, and the cells. A wall where the hero stands is ignored."""

    sizes = (CELLS, 4, *[WALL + 1] * CELLS)

    def draw(self, random: Random) -> Grid:
        """A fifth walls, a fifth of the rest with 1 to 9 markers; the hero anywhere."""
        return self._drawn(random, WALLS, MARKERS)

    def stray(self, random: Random) -> Grid:
        """Every grid has shares of its own: up to two fifths walls, any share of the rest with markers."""
        return self._drawn(random, MOST_WALLS * random.random(), random.random())

    def _drawn(self, random: Random, walls: float, markers: float) -> Grid:
        hero = random.randrange(CELLS)
        cells = bytearray(_cell(random.random(), walls, markers) for _ in range(CELLS))
        if cells[hero] == WALL:
            cells[hero] = 0
        return Grid(bytes(cells), hero, random.randrange(4))

    def mutate(self, given: Grid, random: Random) -> Grid:
        """The hero elsewhere or turned, or one to six other cells, half of them near the hero."""
        hero, facing, cells = given.hero, given.facing, bytearray(given.cells)
        kind = random.randrange(4)
        if kind == 0:
            hero = random.randrange(CELLS)
        elif kind == 1:
            facing = random.randrange(4)
        else:
            for _ in range(random.randint(1, 6)):
                at = random.randrange(CELLS)
                if random.random() < 0.5:
                    at = _near(hero, random)
                cells[at] = _cell(random.random() if random.random() < 0.5 else random.random() * 0.4)
        if cells[hero] == WALL:
            cells[hero] = 0
        return Grid(bytes(cells), hero, facing)

    def decode(self, row: Sequence[int]) -> Grid:
        hero, facing, cells = row[0], row[1], bytearray(row[2:])
        if cells[hero] == WALL:
            cells[hero] = 0
        return Grid(bytes(cells), hero, facing)

    def encode(self, given: Grid) -> tuple[int, ...]:
        return (given.hero, given.facing, *given.cells)

    def show(self, given: Grid) -> str:
        signs = [".123456789#"[cell] for cell in given.cells]
        signs[given.hero] = "^>v<"[given.facing]
        rows = [" ".join(signs[start : start + SIZE]) for start in range(0, CELLS, SIZE)]
        under = given.cells[given.hero]
        if under:
            rows.append(f"on {under} marker{'s' * (under > 1)}")
        return "\n".join(rows)


def _cell(chance: float, walls: float = WALLS, markers: float = MARKERS) -> int:
    """A random number as a cell: the first share are walls, of the rest the first share have markers."""
    if chance < walls:
        return WALL
    chance = (chance - walls) / (1 - walls)
    return 1 + int(chance / markers * 9) if chance < markers else 0


def _near(hero: int, random: Random) -> int:
    row = min(max(hero // SIZE + random.randint(-2, 2), 0), SIZE - 1)
    column = min(max(hero % SIZE + random.randint(-2, 2), 0), SIZE - 1)
    return row * SIZE + column
