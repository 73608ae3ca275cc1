"""A Python function as a world: goals are its branches, and all of them count.

Whether a branch of Python can be reached at all, nobody can tell in general, so that one which cannot counts
as missing, as in every coverage tool. A run that raises has covered what it came by. A run is over after
`FUEL` branches: endless loops end that way, except for those in what the function calls.

The function runs in this process. Code that nobody vouches for belongs into a worker, like every target.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import cached_property
from typing import Any

from untrod.core.errors import UntrodError
from untrod.engines.explore.programs.graph import ProgramGraph
from untrod.engines.explore.programs.python.generated import Generated, Made
from untrod.engines.explore.programs.python.graph import graph
from untrod.engines.explore.programs.python.inputs import LARGEST, CallArguments
from untrod.engines.explore.programs.python.instrument import instrument
from untrod.engines.explore.programs.world import Inputs

FUEL = 10_000


class OutOfFuel(BaseException):
    """Not an Exception: the function must not take it for its own."""


class PythonWorld:
    kind = "python"

    def __init__(
        self,
        function: Callable[..., Any],
        largest: int = LARGEST,
        factory: Callable[[int], Any] | None = None,
        generator: Callable[..., Any] | None = None,
        fuel: int = FUEL,
    ) -> None:
        """Inputs come from `generator`, or else from the annotations or `factory`, up to size `largest`."""
        self._copy = instrument(function)
        self.branches = self._copy.branches
        if not self.branches:
            hint = "there is nothing to cover: name one with an if, a loop or a try"
            raise UntrodError(f"{function.__name__} has no branches", hint)
        self.inputs: Inputs[Any] = (
            CallArguments(function, self._copy.tree, largest, factory)
            if generator is None
            else Generated(generator)
        )
        self.wanted = self.counted = (1 << len(self.branches)) - 1
        self._fuel = fuel
        self._seen = 0
        self._left = 0
        self._function = self._copy.make(self._probe)

    @cached_property
    def graph(self) -> ProgramGraph:
        return graph(self._copy.tree)

    def run(self, given: tuple[Any, ...] | Made) -> int:
        arguments = (given.value,) if isinstance(given, Made) else given
        self._seen, self._left = 0, self._fuel
        try:
            self._function(*deepcopy(arguments))
        except (Exception, SystemExit, OutOfFuel):
            pass
        return self._seen

    def name(self, goal: int) -> str:
        branch = self.branches[goal]
        way = {"else": "does not hold", "done": "runs to its end", "then": "holds"}.get(
            branch.kind, "entered"
        )
        return f"line {branch.line}: {branch.text.rstrip(':')} {way}"

    def text(self, mask: int) -> str:
        """`+` before a line whose branches were all taken, `-` before one with a branch that was not."""
        shown = []
        for number, line in enumerate(self._copy.source.splitlines(), self._copy.first_line):
            goals = [goal for goal, branch in enumerate(self.branches) if branch.line == number]
            mark = " " if not goals else "+" if all(mask >> goal & 1 for goal in goals) else "-"
            shown.append(f"{mark} {number:4} {line}")
        return "\n".join(shown)

    def _probe(self, number: int) -> None:
        self._seen |= 1 << number
        self._left -= 1
        if self._left < 0:
            raise OutOfFuel
