"""Progression: what is left to be shown after one more step of the trace.

The paper's projection (Koroglu and Sen, FARLEAD, Algorithm 3) in its three parts:

1. `expand` unfolds the operators that look further ahead: `a U b` is `b | a & X (a U b)`. What is said
   about the present step is then free of temporal operators, and everything else stands behind an X or N.
2. `restrict` puts in what the letter says about the atoms of the present step. Atoms that the letter does
   not know stay: a prediction restricts by the labels of an action, and sees whether the formula became
   false.
3. `advance` takes one X or N away. The next step is now the present one. An atom that is still there was
   never read, and becomes `unknown`.

The trace w = w0 w1 ... satisfies f if and only if w1 ... satisfies `progress(f, w0)`, as long as there is a
w1. For the last letter there is `conclude`: `X a` is false there and `N a` is true, so nothing is left of F
and G but what they say about this one step.

Bounds in time: the clock of `F[<=2s] a` starts at the present step, and what is left of it at the next one
is known only when that step's letter says how long it took. Unfolding therefore leaves `F[<=2s left] a`,
and `tick` takes the elapsed time off when the next letter arrives.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

from untrod.ltl.labels import Letter
from untrod.ltl.nodes import (
    FALSE,
    TRUE,
    UNKNOWN,
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
    Temporal,
    Until,
    WeakNext,
    WeakUntil,
)
from untrod.ltl.simplify import conjunction, disjunction, negation


class Truths(Protocol):
    """All that `restrict` asks of a letter."""

    def truth(self, atom: Atom) -> bool | None: ...


def progress(formula: Formula, letter: Letter) -> Formula:
    """What the rest of the trace has to satisfy, if it goes on."""
    return advance(restrict(expand(tick(formula, letter.elapsed)), letter))


def conclude(formula: Formula, letter: Letter) -> bool | None:
    """Does a trace that consists of this letter alone satisfy the formula? None: a label was not known."""
    rest = restrict(last(tick(formula, letter.elapsed)), letter)
    return rest.value if isinstance(rest, Constant) else None


@lru_cache(maxsize=1 << 14)
def expand(formula: Formula) -> Formula:
    """Unfolded once. Clocks that are running wait for `tick`."""
    match formula:
        case Not(of):
            return negation(expand(of))
        case And(parts):
            return conjunction(map(expand, parts))
        case Or(parts):
            return disjunction(map(expand, parts))
        case Implies(left, right):
            return disjunction((negation(expand(left)), expand(right)))
        case Eventually() | Always() | Until() | WeakUntil() | Release():
            return formula if is_running(formula) else _unfold(formula)
    return formula


def _unfold(formula: Temporal) -> Formula:
    later = _later(formula)
    must = FALSE if later is None else Next(later)
    may = TRUE if later is None else WeakNext(later)
    match formula:
        case Eventually(of):
            return disjunction((expand(of), must))
        case Always(of):
            return conjunction((expand(of), may))
        case Until(left, right):
            return disjunction((expand(right), conjunction((expand(left), must))))
        case WeakUntil(left, right):
            return disjunction((expand(right), conjunction((expand(left), may))))
        case Release(left, right):
            return conjunction((expand(right), disjunction((expand(left), may))))


def _later(formula: Temporal) -> Formula | None:
    """The same obligation at the next step, None where its bound allows no next step."""
    bound = formula.bound
    if bound is None:
        return formula
    if bound.unit == "ms":
        return bounded(formula, Bound(bound.limit, "ms", running=True))
    return bounded(formula, Bound(bound.limit - 1)) if bound.limit else None


def restrict(formula: Formula, letter: Truths) -> Formula:
    """With the letter's word for the atoms of the present step. What stands behind X and N stays."""
    match formula:
        case Atom():
            truth = letter.truth(formula)
            return formula if truth is None else Constant(truth)
        case Not(of):
            return negation(restrict(of, letter))
        case And(parts):
            return conjunction([restrict(part, letter) for part in parts])
        case Or(parts):
            return disjunction([restrict(part, letter) for part in parts])
    return formula


def advance(formula: Formula) -> Formula:
    """One step further: `X a` becomes a. Only for what `expand` has unfolded."""
    match formula:
        case Next(of) | WeakNext(of):
            return of
        case Not(of):
            return negation(advance(of))
        case And(parts):
            return conjunction(map(advance, parts))
        case Or(parts):
            return disjunction(map(advance, parts))
        case Constant():
            return formula
    return UNKNOWN


@lru_cache(maxsize=1 << 14)
def last(formula: Formula) -> Formula:
    """What the formula says about the last step of a trace: no temporal operator is left."""
    match formula:
        case Next():
            return FALSE
        case WeakNext():
            return TRUE
        case Not(of):
            return negation(last(of))
        case And(parts):
            return conjunction(map(last, parts))
        case Or(parts):
            return disjunction(map(last, parts))
        case Implies(left, right):
            return disjunction((negation(last(left)), last(right)))
        case Eventually() | Always() | Until() | WeakUntil() | Release() if is_running(formula):
            return formula
        case Eventually(of) | Always(of):
            return last(of)
        case Until(_, right) | Release(_, right):
            return last(right)
        case WeakUntil(left, right):
            return disjunction((last(left), last(right)))
    return formula


def tick(formula: Formula, elapsed: int | None) -> Formula:
    """With the elapsed time taken off the running clocks. Without a measurement they stay as they are."""
    if elapsed is None or not has_clock(formula):
        return formula
    match formula:
        case Not(of):
            return negation(tick(of, elapsed))
        case And(parts):
            return conjunction([tick(part, elapsed) for part in parts])
        case Or(parts):
            return disjunction([tick(part, elapsed) for part in parts])
        case Eventually() | Until():
            return _ticked(formula, elapsed, FALSE)
        case Always() | Release() | WeakUntil():
            return _ticked(formula, elapsed, TRUE)
    return formula


def _ticked(formula: Temporal, elapsed: int, too_late: Formula) -> Formula:
    limit = formula.bound.limit - elapsed if formula.bound else 0
    return bounded(formula, Bound(limit, "ms")) if limit >= 0 else too_late


@lru_cache(maxsize=1 << 14)
def has_clock(formula: Formula) -> bool:
    """Is a clock running in it? Then the next step depends on the time, too."""
    match formula:
        case Not(of):
            return has_clock(of)
        case And(parts) | Or(parts):
            return any(map(has_clock, parts))
    return is_running(formula)


def is_running(formula: Formula) -> bool:
    bound = formula.bound if isinstance(formula, Temporal) else None
    return bound is not None and bound.running


def bounded(formula: Temporal, bound: Bound | None) -> Formula:
    match formula:
        case Eventually(of) | Always(of):
            return type(formula)(of, bound)
        case Until(left, right) | WeakUntil(left, right) | Release(left, right):
            return type(formula)(left, right, bound)
