"""The robot does what its program says, and the mask says which branches it took."""

from __future__ import annotations

from random import Random

import pytest

from untrod.core.errors import UntrodError
from untrod.engines.explore.programs.karel.grids import CELLS, EAST, NORTH, SIZE, SOUTH, WALL, Grid, Grids
from untrod.engines.explore.programs.karel.language import (
    Action,
    Block,
    Condition,
    If,
    Program,
    Repeat,
    While,
    branches,
)
from untrod.engines.explore.programs.karel.parsing import parse
from untrod.engines.explore.programs.karel.running import Machine
from untrod.engines.explore.programs.karel.sampling import sample


def at(row: int, column: int) -> int:
    return row * SIZE + column


def grid(hero: tuple[int, int] = (4, 4), facing: int = NORTH, **cells: int) -> Grid:
    """`r3c4=WALL`, `r3c5=2` on an otherwise empty grid."""
    filled = bytearray(CELLS)
    for name, what in cells.items():
        filled[at(int(name[1]), int(name[3]))] = what
    return Grid(bytes(filled), at(*hero), facing)


def run(body: str, on: Grid, steps: int = 300):
    return Machine(parse(f"def run() {{ {body} }}"), steps).run(on)


@pytest.mark.parametrize(("facing", "place"), [(0, (3, 4)), (1, (4, 5)), (2, (5, 4)), (3, (4, 3))])
def test_it_moves_the_way_it_looks(facing: int, place: tuple[int, int]):
    assert run("move();", grid(facing=facing)).hero == at(*place)


def test_it_turns():
    assert run("turnLeft();", grid(facing=NORTH)).facing == 3
    assert run("turnRight();", grid(facing=3)).facing == NORTH


def test_walls_and_the_edge_end_the_run():
    assert run("move(); putMarker();", grid(r3c4=WALL)).end == "crashed"
    ended = run("repeat (9) { move(); }", grid())
    assert (ended.end, ended.hero) == ("crashed", at(0, 4))


def test_markers_are_put_and_picked():
    ended = run("pickMarker(); move(); putMarker(); putMarker();", grid(r4c4=3))
    assert (ended.end, ended.markers[at(4, 4)], ended.markers[at(3, 4)]) == ("ended", 2, 2)
    assert run("pickMarker();", grid()).end == "crashed"


def test_a_run_has_so_many_steps():
    assert run("while (noMarkersPresent()) { turnLeft(); }", grid()).end == "out of steps"
    assert run("repeat (3) { turnLeft(); }", grid(), steps=4).end == "ended"
    assert run("repeat (3) { turnLeft(); }", grid(), steps=3).end == "out of steps"


@pytest.mark.parametrize(
    ("condition", "on", "holds"),
    [
        ("frontIsClear", grid(), True),
        ("frontIsClear", grid(r3c4=WALL), False),
        ("frontIsClear", grid((7, 0), SOUTH), False),
        ("leftIsClear", grid(r4c3=WALL), False),
        ("leftIsClear", grid(r4c5=WALL), True),
        ("rightIsClear", grid(r4c5=WALL), False),
        ("rightIsClear", grid(facing=EAST, r5c4=WALL), False),
        ("markersPresent", grid(r4c4=1), True),
        ("markersPresent", grid(r3c4=1), False),
        ("noMarkersPresent", grid(), True),
        ("not frontIsClear", grid(), False),
        ("not markersPresent", grid(), True),
    ],
)
def test_conditions(condition: str, on: Grid, holds: bool):
    body = f"if ({condition}()) {{ turnLeft(); }} else {{ turnRight(); }}"
    assert run(body, on).mask == (0b01 if holds else 0b10)


def test_the_program_of_the_papers_figure_3():
    """The layout decides whether the loop is entered; one that opens to the right covers every branch."""
    body = """turnRight(); while (rightIsClear()) {
                 putMarker(); move();
                 if (markersPresent()) { turnRight(); } else { putMarker(); } }"""
    assert run(body, grid((7, 3), NORTH)).mask == 0b1000
    assert run(body, grid((5, 1), NORTH, r5c3=1, r7c2=WALL)).mask == 0b1111
    kinds = [branch.kind for branch in branches(parse(f"def run() {{ {body} }}"))]
    assert kinds == ["body", "then", "else", "leave"]


def test_compiled_programs_agree_with_a_plain_interpreter():
    random = Random(5)
    grids = Grids()
    ends = set()
    for _ in range(60):
        program = sample(random)
        machine = Machine(program)
        for _ in range(8):
            given = grids.draw(random)
            plain = Plain(program, given)
            made = machine.run(given)
            assert (made.mask, made.end, made.hero, made.facing) == plain.summary
            assert made.markers == tuple(plain.markers)
            assert machine.mask(given) == made.mask
            ends.add(made.end)
    assert ends == {"ended", "crashed", "out of steps"}


class Plain:
    """The language, as plainly as it can be put: it walks the tree and asks the grid."""

    def __init__(self, program: Program, grid: Grid) -> None:
        self.walls = [cell == WALL for cell in grid.cells]
        self.markers = [0 if cell == WALL else cell for cell in grid.cells]
        self.row, self.column, self.facing = grid.hero // SIZE, grid.hero % SIZE, grid.facing
        self.left, self.mask, self.end = 300, 0, "ended"
        self.numbers: dict[tuple[int, str], int] = {}
        for number, branch in enumerate(branches(program)):
            self.numbers[id(branch.statement), branch.kind] = number
        try:
            self.block(program.body)
        except StopIteration as stop:
            self.end = str(stop)

    @property
    def summary(self) -> tuple[int, str, int, int]:
        return self.mask, self.end, self.row * SIZE + self.column, self.facing

    def block(self, block: Block) -> None:
        for statement in block:
            self.step()
            if isinstance(statement, Action):
                getattr(self, statement.name)()
            elif isinstance(statement, Repeat):
                for _ in range(statement.times):
                    self.take(statement, "repeat", statement.body)
            elif isinstance(statement, If):
                if self.holds(statement.condition):
                    self.take(statement, "then", statement.then)
                else:
                    kind = "skip" if statement.otherwise is None else "else"
                    self.take(statement, kind, statement.otherwise or ())
            elif isinstance(statement, While):
                self.step()
                while self.holds(statement.condition):
                    self.take(statement, "body", statement.body)
                    self.step()
                self.take(statement, "leave", ())

    def take(self, statement, kind: str, block: Block) -> None:
        self.mask |= 1 << self.numbers[id(statement), kind]
        self.block(block)

    def step(self) -> None:
        if self.left == 0:
            raise StopIteration("out of steps")
        self.left -= 1

    def ahead(self, turn: int) -> tuple[int, int]:
        facing = (self.facing + turn) % 4
        return self.row + (facing == 2) - (facing == 0), self.column + (facing == 1) - (facing == 3)

    def clear(self, turn: int) -> bool:
        row, column = self.ahead(turn)
        return 0 <= row < SIZE and 0 <= column < SIZE and not self.walls[row * SIZE + column]

    def holds(self, condition: Condition) -> bool:
        here = self.markers[self.row * SIZE + self.column]
        value = {
            "frontIsClear": self.clear(0),
            "leftIsClear": self.clear(-1),
            "rightIsClear": self.clear(1),
            "markersPresent": here > 0,
            "noMarkersPresent": here == 0,
        }[condition.name]
        return not value if condition.negated else value

    def move(self) -> None:
        if not self.clear(0):
            raise StopIteration("crashed")
        self.row, self.column = self.ahead(0)

    def turnLeft(self) -> None:
        self.facing = (self.facing + 3) % 4

    def turnRight(self) -> None:
        self.facing = (self.facing + 1) % 4

    def putMarker(self) -> None:
        self.markers[self.row * SIZE + self.column] += 1

    def pickMarker(self) -> None:
        if not self.markers[self.row * SIZE + self.column]:
            raise StopIteration("crashed")
        self.markers[self.row * SIZE + self.column] -= 1


def test_grids_are_rows_of_numbers():
    random = Random(6)
    grids = Grids()
    for _ in range(50):
        given = grids.draw(random)
        row = grids.encode(given)
        assert all(0 <= number < size for number, size in zip(row, grids.sizes, strict=True))
        assert grids.decode(row) == given
        near = grids.mutate(given, random)
        assert grids.decode(grids.encode(near)) == near


def test_grids_from_afar_have_shares_of_their_own():
    shares = [Grids().stray(Random(seed)).cells.count(0) / CELLS for seed in range(60)]
    usual = [Grids().draw(Random(seed)).cells.count(0) / CELLS for seed in range(60)]
    assert min(shares) < 0.2 < min(usual)
    assert max(shares) > 0.85 > max(usual)


def test_any_row_is_a_grid():
    random = Random(7)
    grids = Grids()
    for _ in range(50):
        made = grids.decode([random.randrange(size) for size in grids.sizes])
        assert made.cells[made.hero] != WALL


def test_a_fifth_of_the_cells_are_walls_and_a_fifth_of_the_rest_have_markers():
    random = Random(8)
    cells = b"".join(Grids().draw(random).cells for _ in range(200))
    walls = cells.count(WALL) / len(cells)
    assert walls == pytest.approx(0.2, abs=0.02)
    assert 1 - walls - cells.count(0) / len(cells) == pytest.approx(0.16, abs=0.02)


def test_a_grid_is_shown_with_its_hero():
    shown = Grids().show(grid((0, 1), EAST, r0c0=WALL, r0c1=2, r7c7=9)).splitlines()
    assert shown[0] == "# > . . . . . ."
    assert shown[7] == ". . . . . . . 9"
    assert shown[8] == "on 2 markers"


def test_what_is_no_grid_is_refused():
    with pytest.raises(UntrodError, match="is no grid"):
        Grid(bytes(3), 0, 0)
    with pytest.raises(UntrodError, match="is no grid"):
        grid((4, 4), r4c4=WALL)
