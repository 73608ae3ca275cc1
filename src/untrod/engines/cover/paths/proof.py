"""When has every path of an entry been walked? Then a branch that nobody took cannot be taken.

That is known of functions of numbers alone, whose one template stands for every input. What follows from the
input's path is walked state by state; as long as nothing was dropped, left undecided or cut short, the last
state closes the proof. It is a proof about the engine's model of Python, whose every path is confirmed by a
real run. Of a function that draws from chance, or reads a clock, nothing is proved: with another draw the
same input may go another way.
"""

from __future__ import annotations

from typing import Any

from untrod.engines.cover.paths.template import Template
from untrod.engines.cover.targets import Entry
from untrod.symbolic.protocol import PathResult
from untrod.symbolic.shapes import Bool, Int, Shape

_NUMBERS: dict[Any, Shape] = {int: Int(), bool: Bool()}
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


def is_provable(entry: Entry) -> bool:
    """Is it a function of numbers alone?"""
    if entry.methods or entry.is_class or len(entry.makers) != 1:
        return False
    parameters = entry.makers[0].parameters
    return all(p.required and not p.keyword and not p.rest and p.hint in _NUMBERS for p in parameters)


def _stands_for_all(entry: Entry, template: Template) -> bool:
    if not is_provable(entry) or not template.is_complete:
        return False
    return template.shape.shapes == tuple(_NUMBERS[p.hint] for p in entry.makers[0].parameters)
