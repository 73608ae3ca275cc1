"""One concrete input, kept at hand while a path runs: it answers most questions without the solver."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from untrod.symbolic.lean.terms import FLAG, PYTHON, Term

_STAMPS = count()


class Candidate:
    """Values of the inputs, read from a solver's model only when asked for: reading one costs as much as
    twenty branches."""

    __slots__ = ("_read", "_values", "stamp")

    def __init__(self, read: Callable[[int], Any]) -> None:
        self._read = read
        self._values: dict[int, Any] = {}
        self.stamp = next(_STAMPS)

    def __getitem__(self, number: int) -> Any:
        value = self._values.get(number)
        if value is None:
            value = self._values[number] = self._read(number)
        return value

    def evaluate(self, term: Term) -> Any:
        """What `term` is under these inputs; remembered in the term until another candidate asks."""
        stamp = self.stamp
        if not term.op or term.stamp == stamp:
            return term.value
        todo = [term]
        while todo:
            node = todo[-1]
            if node.op > FLAG:
                missing = [arg for arg in node.args if arg.op and arg.stamp != stamp]
                if missing:
                    todo.extend(missing)
                    continue
                node.value = PYTHON[node.op](*[arg.value for arg in node.args])
            else:
                node.value = self[node.args[0]]
            node.stamp = stamp
            todo.pop()
        return term.value
