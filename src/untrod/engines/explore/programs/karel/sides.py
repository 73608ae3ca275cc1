"""Which goals lie on the two sides of each condition."""

from __future__ import annotations

from untrod.engines.explore.programs.karel.nodes import Block, If, Program, While, branches_of


class Sides:
    """Masks of goals, which are numbered as in the text: where the condition holds, and where it does not."""

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
