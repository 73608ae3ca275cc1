"""A whole trace, and the truth of any formula at any of its steps, by the textbook's definition.

Progression looks at one letter at a time and forgets. An explanation has to look back, so it asks here.
Slower, and independent of progression: the two are tested against each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from untrod.ltl.labels import Letter
from untrod.ltl.nodes import (
    TRUE,
    Always,
    And,
    Atom,
    Bound,
    Constant,
    Eventually,
    Formula,
    Implies,
    Next,
    Not,
    Or,
    Release,
    Until,
    WeakNext,
    WeakUntil,
)

Truth = bool | None
"""None: unknown (Kleene's third value)."""


class FiniteTrace:
    """Letters, the first being step 0."""

    def __init__(self, letters: Sequence[Letter]) -> None:
        self.letters = tuple(letters)
        self.end = len(self.letters) - 1
        self._known: dict[tuple[Formula, int], Truth] = {}

    def truth(self, formula: Formula, step: int = 0) -> Truth:
        key = (formula, step)
        if key not in self._known:
            self._known[key] = self._truth(formula, step)
        return self._known[key]

    def within(self, start: int, step: int, bound: Bound | None) -> Truth:
        """Is `step` within the bound, counted from `start`? None: a step between them was not timed."""
        if bound is None or start == step:
            return True
        if bound.unit == "steps":
            return step - start <= bound.limit
        times = [letter.elapsed for letter in self.letters[start + 1 : step + 1]]
        measured = sum(time for time in times if time is not None)
        return False if measured > bound.limit else None if None in times else True

    def window(self, start: int, bound: Bound | None) -> list[int]:
        """The steps from `start` on that are, or may be, within the bound."""
        steps = range(start, len(self.letters))
        return [step for step in steps if self.within(start, step, bound) is not False]

    def _truth(self, formula: Formula, i: int) -> Truth:
        match formula:
            case Constant(value):
                return value
            case Atom():
                return self.letters[i].truth(formula)
            case Not(of):
                return negated(self.truth(of, i))
            case And(parts):
                return every(self.truth(part, i) for part in parts)
            case Or(parts):
                return some(self.truth(part, i) for part in parts)
            case Implies(left, right):
                return some((negated(self.truth(left, i)), self.truth(right, i)))
            case Next(of):
                return i < self.end and self.truth(of, i + 1)
            case WeakNext(of):
                return i == self.end or self.truth(of, i + 1)
            case Eventually(of, bound):
                return self.truth(Until(TRUE, of, bound), i)
            case Always(of, bound):
                return negated(self.truth(Eventually(Not(of), bound), i))
            case Until(left, right, bound):
                return some(
                    every((self.within(i, j, bound), self.truth(right, j), *self._truths(left, i, j)))
                    for j in self.window(i, bound)
                )
            case WeakUntil(left, right, bound):
                return some((self.truth(Until(left, right, bound), i), self.truth(Always(left, bound), i)))
            case Release(left, right, bound):
                return negated(self.truth(Until(Not(left), Not(right), bound), i))
        raise TypeError(f"not a formula: {formula!r}")

    def _truths(self, formula: Formula, start: int, stop: int) -> Iterable[Truth]:
        return (self.truth(formula, step) for step in range(start, stop))


def negated(truth: Truth) -> Truth:
    return None if truth is None else not truth


def every(truths: Iterable[Truth]) -> Truth:
    """False if one is false, unknown if one is unknown, else true."""
    known: Truth = True
    for truth in truths:
        if truth is False:
            return False
        if truth is None:
            known = None
    return known


def some(truths: Iterable[Truth]) -> Truth:
    """True if one is true, unknown if one is unknown, else false."""
    return negated(every(negated(truth) for truth in truths))
