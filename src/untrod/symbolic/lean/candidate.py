"""One concrete input, kept at hand while a path runs: it answers most questions without the solver.

Besides: the policy that goes where a known input goes, and how far an input was from going another way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from untrod.symbolic.lean.terms import AND, EQUAL, FLAG, ITE, LESS, NOT, OR, PYTHON, Term
from untrod.symbolic.protocol import Branch, Condition, Location
from untrod.symbolic.ranges import DEEPEST

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


class CandidatePolicy:
    """A branch policy: the side that the candidate takes."""

    def __init__(self, candidate: Candidate) -> None:
        self._candidate = candidate

    def decide(self, location: Location, condition: Condition, history: Sequence[Branch]) -> bool:
        # Another engine may have taken over in the middle of a path: its conditions cannot be told.
        return bool(self._candidate.evaluate(condition)) if isinstance(condition, Term) else True

    def feedback(self, branch: Branch, feasible: bool) -> None:
        """Nothing to learn."""


def shortfall(term: Term, side: bool, candidate: Candidate, deep: int = DEEPEST) -> int:
    """How far a condition was from going the other way: the branch distance of search-based testing.

    0 where `term` is `side` under the candidate; else the more, the further it is from that.

    A comparison is off by a difference, everything else by 1. All parts of an `and` have to hold, so theirs
    add up; of an `or` the nearest one counts.
    """
    if bool(candidate.evaluate(term)) == side:
        return 0
    if not deep:
        return 1
    if term.op == NOT:
        return shortfall(term.args[0], not side, candidate, deep - 1)
    if term.op in (AND, OR):
        parts = [shortfall(part, side, candidate, deep - 1) for part in term.args]
        return sum(parts) if (term.op == AND) == side else min(parts)
    if term.op == ITE:
        condition, then, otherwise = term.args
        return shortfall(then if candidate.evaluate(condition) else otherwise, side, candidate, deep - 1)
    if term.op in (LESS, EQUAL):
        left, right = (int(candidate.evaluate(arg)) for arg in term.args)
        if term.op == EQUAL:
            return abs(left - right) if side else 1
        return left - right + 1 if side else right - left
    return 1
