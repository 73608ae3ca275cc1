"""Symbolic execution of Python modules: what rounds (`rounds.py`) need to know of these.

`PythonExecutors` make an executor for each template, `NumericProof` says when every path was walked,
`PythonLines` tells searchers which lines of functions a run has reached.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping
from types import CodeType
from typing import Any, Literal

from untrod.core.errors import MissingExtra, UntrodError
from untrod.engines.cover.branch_map import BranchMap, LineArc
from untrod.engines.cover.case import Arc, Input
from untrod.engines.cover.paths.frontier import Walker
from untrod.engines.cover.paths.template import Template
from untrod.engines.cover.targets import Entry
from untrod.symbolic.protocol import PathResult, SymbolicExecutor
from untrod.symbolic.routing import RoutedExecutor
from untrod.symbolic.searchers.knowledge import Distances, Line
from untrod.symbolic.shapes import Arguments, Bool, Int, Shape

MOST = 48
LEAN_UNITS, CROSSHAIR_UNITS = 2_000_000, 1_000_000
"""Of the solver, for one question: a fraction of a second. What is hard is left for other paths to answer."""
ExecutorChoice = Literal["lean", "crosshair", "both"]
"""`both`: lean where it can, CrossHair where it must."""
_SHAPES: dict[Any, Shape] = {int: Int(), bool: Bool()}
_WHOLE = ("done", "raised", "ignored", "infeasible")


class PythonExecutors:
    """An executor for each template, kept while it is in use: a solver that has seen a path is a faster one.

    `files` are those of the code under test: branches there are the user's.
    """

    def __init__(
        self, files: Collection[str], entries: Mapping[str, Entry], choice: ExecutorChoice = "both"
    ) -> None:
        self._entries = entries
        self._files = frozenset(files)
        self._choice = choice
        self._known: OrderedDict[Any, Walker | None] = OrderedDict()

    def for_input(self, given: Input) -> tuple[Walker, Template] | None:
        """None where no executor can take it."""
        template = Template(given)
        walker = None if template.is_empty else self._walker(template)
        return None if walker is None else (walker, template)

    def proof(self, template: Template) -> NumericProof:
        return NumericProof(self._entries[template.entry], template)

    def _walker(self, template: Template) -> Walker | None:
        key = template.key
        if key in self._known:
            self._known.move_to_end(key)
            return self._known[key]
        try:
            executor = RoutedExecutor(template.function(self._files), template.shape, self._make)
        except UntrodError:
            self._known[key] = None
        else:
            self._known[key] = Walker(template, executor)
        if len(self._known) > MOST:
            self._known.popitem(last=False)
        return self._known[key]

    def _make(self, engine: str, function: Callable[..., Any], arguments: Arguments) -> SymbolicExecutor:
        """For `RoutedExecutor`, which wants lean first and CrossHair after that."""
        if engine == "crosshair" and self._choice == "lean":
            raise UntrodError("lean is all there is", "")
        try:
            if engine == "lean" and self._choice != "crosshair":
                from untrod.symbolic.lean.executor import LeanExecutor

                return LeanExecutor(function, arguments, rlimit=LEAN_UNITS)
            from untrod.symbolic.crosshair.executor import CrosshairExecutor

            return CrosshairExecutor(function, arguments, files=self._files, solver_units=CROSSHAIR_UNITS)
        except ImportError as error:
            raise MissingExtra(error.name or "crosshair", "symbolic") from error


class NumericProof:
    """That every path of an entry was walked: then a branch that nobody took cannot be taken.

    That can be known of functions of numbers alone, whose one template stands for every input. What follows
    from the input's path is walked state by state; as long as nothing was dropped, left undecided or cut
    short, the last state closes the proof. It is a proof about the executor's model of Python, whose every
    path is confirmed by a real run. Of a function that draws random numbers, or reads a clock, nothing is
    proved: with another draw the same input may go another way. A proof is about one template, within one
    round.
    """

    def __init__(self, entry: Entry, template: Template) -> None:
        self._sound = _stands_for_all(entry, template)
        self._open = 1

    def record(self, result: PathResult) -> None:
        """A state was picked, and left others behind."""
        self._open += len(result.pending) - 1
        if result.status not in _WHOLE or any(branch.other == "unknown" for branch in result.branches):
            self._sound = False

    def break_off(self) -> None:
        """A state was dropped."""
        self._sound = False

    @property
    def is_complete(self) -> bool:
        return self._sound and not self._open


def _stands_for_all(entry: Entry, template: Template) -> bool:
    if not entry.is_numeric or not template.is_complete:
        return False
    return template.shape.shapes == tuple(_SHAPES[p.hint] for p in entry.makers[0].parameters)


class PythonLines:
    """Which function a line belongs to: searchers think in lines of functions, a tracer in lines of files."""

    def __init__(self, branch_map: BranchMap) -> None:
        codes = [
            compile(branch_map.source(module), path, "exec", dont_inherit=True)
            for module, path in branch_map.files.items()
        ]
        self.distances = Distances(codes)
        self._files = branch_map.files
        self._units: dict[str, dict[int, str]] = {path: {} for path in branch_map.files.values()}
        todo = list(codes)
        while todo:  # inner functions come later, and have the last word on their lines
            code = todo.pop(0)
            for _, _, line in code.co_lines():
                if line:
                    self._units[code.co_filename][line] = code.co_qualname
            todo += [constant for constant in code.co_consts if isinstance(constant, CodeType)]

    def of(self, taken: Mapping[str, Iterable[LineArc]]) -> set[Line]:
        """The lines that a run has reached."""
        found = set()
        for path, arcs in taken.items():
            units = self._units.get(path, {})
            found |= {(units[line], line) for _, line in arcs if line in units}
        return found

    def starting(self, arcs: Iterable[Arc]) -> set[Line]:
        """The lines that these arcs start from."""
        places = ((self._units[self._files[arc.module]], arc.start) for arc in arcs)
        return {(units[line], line) for units, line in places if line in units}
