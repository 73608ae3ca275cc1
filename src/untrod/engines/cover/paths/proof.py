"""When has every path of an entry been walked? Then a branch that nobody took cannot be taken.

That is known of functions of numbers alone, whose one template stands for every input. What follows from the
input's path is walked state by state; as long as nothing was dropped, left undecided or cut short, the last
state closes the proof. It is a proof about the engine's model of Python, whose every path is confirmed by a
real run.
"""

from __future__ import annotations

from untrod.engines.cover.paths.template import Template
from untrod.engines.cover.targets import Entry
from untrod.symbolic.protocol import PathResult
from untrod.symbolic.shapes import Bool, Int

_WHOLE = ("done", "raised", "ignored", "infeasible")


class Proof:
    """The books on one template, within one round."""

    def __init__(self, entry: Entry, template: Template) -> None:
        self._sound = _stands_for_all(entry, template)
        self._open = 1

    def walked(self, result: PathResult) -> None:
        """A state was picked, and left others behind."""
        self._open += len(result.pending) - 1
        if result.status not in _WHOLE or any(branch.other == "unknown" for branch in result.branches):
            self._sound = False

    def broken(self) -> None:
        """A state was dropped."""
        self._sound = False

    @property
    def is_complete(self) -> bool:
        return self._sound and not self._open


def _stands_for_all(entry: Entry, template: Template) -> bool:
    if entry.is_class or len(entry.makers) != 1 or not template.is_complete:
        return False
    shapes = {int: Int(), bool: Bool()}
    parameters = entry.makers[0].parameters
    plain = all(p.required and not p.keyword and not p.rest for p in parameters)
    return plain and template.shape.shapes == tuple(shapes.get(p.hint) for p in parameters)
