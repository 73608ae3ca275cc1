"""A RobustFill program as a world: goals are its regular expressions and the expressions around them."""

from __future__ import annotations

from functools import cached_property

from untrod.core.errors import UntrodError
from untrod.engines.explore.programs.graph import ProgramGraph
from untrod.engines.explore.programs.robustfill.feasible import feasible
from untrod.engines.explore.programs.robustfill.graph import graph
from untrod.engines.explore.programs.robustfill.inputs import LONGEST, Texts
from untrod.engines.explore.programs.robustfill.nodes import Concat, RegPos
from untrod.engines.explore.programs.robustfill.printing import expression as text_of
from untrod.engines.explore.programs.robustfill.printing import position
from untrod.engines.explore.programs.robustfill.running import Goal, Machine, goals_of


class RobustFillWorld:
    """Coverage is defined in `running.py`, and which goals count in `feasible.py`."""

    kind = "robustfill"

    def __init__(self, program: Concat, longest: int = LONGEST) -> None:
        self.program = program
        self.inputs = Texts(longest)
        self._machine = Machine(program)
        self._goals: list[tuple[int, Goal]] = []  # number of the expression, goal
        self.counted = 0
        for number, each in enumerate(program.expressions):
            self.counted |= feasible(each, longest) << len(self._goals)
            self._goals += [(number, goal) for goal in goals_of(each)]
        self.wanted = (1 << len(self._goals)) - 1
        if not self._goals:
            hint = "use GetToken, SubStr or another that looks at its input"
            raise UntrodError("the program asks nothing of its input: there is nothing to cover", hint)
        if not self.counted:
            hint = f"check indices and offsets against texts of up to {longest} characters"
            raise UntrodError("no input reaches any expression of the program", hint)

    @property
    def goals(self) -> list[Goal]:
        """Goal by goal, what it is."""
        return [goal for _, goal in self._goals]

    @cached_property
    def graph(self) -> ProgramGraph:
        return graph(self.program)

    def run(self, given: str) -> int:
        return self._machine.run(given)[1]

    def output(self, given: str) -> str:
        """What the program makes of `given`. Expressions that find nothing add nothing."""
        return self._machine.run(given)[0]

    def name(self, goal: int) -> str:
        number, what = self._goals[goal]
        whole = text_of(self.program.expressions[number])
        inner = f"{position(what)} in " if isinstance(what, RegPos) else ""
        if not isinstance(what, RegPos) and text_of(what) != whole:
            inner = f"{text_of(what)} in "
        return f"expression {number + 1}: {inner}{whole}"

    def text(self, mask: int) -> str:
        """`+` before an expression with every goal reached, `-` with one missing; then how many of them."""
        lines = []
        for number, each in enumerate(self.program.expressions):
            bits = [bit for bit, (owner, _) in enumerate(self._goals) if owner == number]
            due = sum(self.counted >> bit & 1 for bit in bits)
            got = sum((self.counted & mask) >> bit & 1 for bit in bits)
            mark = " " if not due else "+" if got == due else "-"
            tally = f"   {got}/{due}" if due else ""
            lines.append(f"{mark} {text_of(each)}{tally}")
        return "\n".join(lines)
