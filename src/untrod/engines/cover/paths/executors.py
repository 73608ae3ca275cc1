"""An executor for each template, kept while it is in use: a solver that has seen a path is a faster one."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from typing import Any, Literal

from untrod.core.errors import MissingExtra, UntrodError
from untrod.engines.cover.case import Input
from untrod.engines.cover.paths.frontier import Walked
from untrod.engines.cover.paths.proof import Proof
from untrod.engines.cover.paths.template import Template
from untrod.engines.cover.targets import Entry
from untrod.symbolic.protocol import SymbolicExecutor
from untrod.symbolic.routing import RoutedExecutor
from untrod.symbolic.shapes import Arguments

MOST = 48
LEAN_UNITS, CROSSHAIR_UNITS = 2_000_000, 1_000_000
"""Of the solver, for one question: a fraction of a second. What is hard is left for other paths to answer."""
Engines = Literal["lean", "crosshair", "both"]
"""`both`: lean where it can, CrossHair where it must."""


class Executors:
    """`files` are those of the code under test: branches there are the user's."""

    def __init__(
        self, files: Collection[str], entries: Mapping[str, Entry], engines: Engines = "both"
    ) -> None:
        self._entries = entries
        self._files = frozenset(files)
        self._engines = engines
        self._known: OrderedDict[Any, Walked | None] = OrderedDict()

    def for_input(self, given: Input) -> tuple[Walked, Template] | None:
        """None where no engine can take it."""
        template = Template(given)
        walked = None if template.is_empty else self._walked(template)
        return None if walked is None else (walked, template)

    def proof(self, template: Template) -> Proof:
        return Proof(self._entries[template.entry], template)

    def _walked(self, template: Template) -> Walked | None:
        key = template.key
        if key in self._known:
            self._known.move_to_end(key)
            return self._known[key]
        try:
            executor = RoutedExecutor(template.function(self._files), template.shape, self._make)
        except UntrodError:
            self._known[key] = None
        else:
            self._known[key] = Walked(template, executor)
        if len(self._known) > MOST:
            self._known.popitem(last=False)
        return self._known[key]

    def _make(self, engine: str, function: Callable[..., Any], arguments: Arguments) -> SymbolicExecutor:
        """For `RoutedExecutor`, which wants lean first and CrossHair after that."""
        if engine == "crosshair" and self._engines == "lean":
            raise UntrodError("lean is all there is", "")
        try:
            if engine == "lean" and self._engines != "crosshair":
                from untrod.symbolic.lean.executor import LeanExecutor

                return LeanExecutor(function, arguments, rlimit=LEAN_UNITS)
            from untrod.symbolic.crosshair.executor import CrosshairExecutor

            return CrosshairExecutor(function, arguments, files=self._files, solver_units=CROSSHAIR_UNITS)
        except ImportError as error:
            raise MissingExtra(error.name or "crosshair", "symbolic") from error
