"""Symbolic execution of Karel programs with Z3, as in the paper's appendix B.3: the exact solver.

Paths are extracted first (`karel/paths.py`): every condition splits a path in two, loops are unrolled at most
three times. They are ranked by how many goals they reach that no input has reached yet, and Z3 is asked, from
the best on, whether there is a grid that takes the path. After `CHECKS` refusals the explorer gives up and
draws. Unlike in the paper, answers that contradict an earlier one on the same path are not extracted at all.

The grid is an array from cells to numbers of markers, where other numbers than 0 to 9 are walls; the hero's
start and facing are integers. Paths know places relative to the start, ahead and to the right of it,
which the facing turns round.
"""

from __future__ import annotations

from random import Random
from typing import Any

from untrod.core.errors import MissingExtra
from untrod.engines.explore.programs.karel.grids import CELLS, SIZE, WALL, Grid
from untrod.engines.explore.programs.karel.paths import Path, paths
from untrod.engines.explore.programs.karel.world import KarelWorld

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
