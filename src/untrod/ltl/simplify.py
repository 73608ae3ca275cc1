"""The same formula in fewer words, and in one form whatever way it came about.

Progression rewrites a formula at every step. What it makes has to stay small, and two equal obligations
have to become one object, or the table of steps would never close. So what is left of a formula is kept in
*negation normal form* (`!` only in front of atoms and of `W`), its conjunctions and disjunctions flat and
sorted, and no part is said twice on the way from the root to a leaf: in `a & (b | a)` and in `a & (b | !a)`
the inner a is known. With that, only finitely many formulas can be reached from one, and contradictions
such as `G a & F !a` show.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from untrod.ltl.nodes import (
    FALSE,
    TRUE,
    UNKNOWN,
    Always,
    And,
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
from untrod.ltl.printing import text


def conjunction(parts: Iterable[Formula]) -> Formula:
    return _join(And, tuple(parts))


def disjunction(parts: Iterable[Formula]) -> Formula:
    return _join(Or, tuple(parts))


@lru_cache(maxsize=1 << 14)
def negation(formula: Formula) -> Formula:
    match formula:
        case Constant(value):
            return UNKNOWN if value is None else Constant(not value)
        case Not(of):
            return of
        case And(parts):
            return disjunction(map(negation, parts))
        case Or(parts):
            return conjunction(map(negation, parts))
        case Implies(left, right):
            return conjunction((left, negation(right)))
        case Next(of):
            return WeakNext(negation(of))
        case WeakNext(of):
            return Next(negation(of))
        case Eventually(of, bound):
            return Always(negation(of), bound)
        case Always(of, bound):
            return Eventually(negation(of), bound)
        case Until(left, right, bound):
            return Release(negation(left), negation(right), bound)
        case Release(left, right, bound):
            return Until(negation(left), negation(right), bound)
    return Not(formula)


def simplify(formula: Formula) -> Formula:
    """A whole formula as it was written. What progression makes of it afterwards is simple already."""
    match formula:
        case Not(of):
            return negation(simplify(of))
        case And(parts):
            return conjunction(map(simplify, parts))
        case Or(parts):
            return disjunction(map(simplify, parts))
        case Implies(left, right):
            return disjunction((negation(simplify(left)), simplify(right)))
        case Next(of):
            inner = simplify(of)
            return FALSE if inner is FALSE else Next(inner)  # X true stays: it says that there is a next step
        case WeakNext(of):
            inner = simplify(of)
            return TRUE if inner is TRUE else WeakNext(inner)
        case Eventually(of, bound):
            return _until(TRUE, simplify(of), bound)
        case Always(of, bound):
            return _release(FALSE, simplify(of), bound)
        case Until(left, right, bound):
            return _until(simplify(left), simplify(right), bound)
        case Release(left, right, bound):
            return _release(simplify(left), simplify(right), bound)
        case WeakUntil(left, right, bound):
            return _weak_until(simplify(left), simplify(right), bound)
    return formula


def _until(left: Formula, right: Formula, bound: Bound | None) -> Formula:
    if not _runs(bound):  # a running clock may have run out, whatever the formula says
        if right in (TRUE, FALSE) or left is FALSE or (bound and not bound.limit and bound.unit == "steps"):
            return right
        if left is TRUE and bound is None and isinstance(right, Eventually) and right.bound is None:
            return right
    return Eventually(right, bound) if left is TRUE else Until(left, right, bound)


def _release(left: Formula, right: Formula, bound: Bound | None) -> Formula:
    return negation(_until(negation(left), negation(right), bound))


def _weak_until(left: Formula, right: Formula, bound: Bound | None) -> Formula:
    if not _runs(bound):
        if TRUE in (left, right):
            return TRUE
        if left is FALSE:
            return right
    return Always(left, bound) if right is FALSE else WeakUntil(left, right, bound)


def _runs(bound: Bound | None) -> bool:
    return bound is not None and bound.running


@lru_cache(maxsize=1 << 14)
def _join(kind: type[And] | type[Or], parts: tuple[Formula, ...]) -> Formula:
    """One rule for both: `neutral` can be left out, `decisive` settles it, `dual` is the other kind."""
    neutral, decisive, dual = (TRUE, FALSE, Or) if kind is And else (FALSE, TRUE, And)
    while True:
        flat = dict.fromkeys(_flat(kind, parts))
        flat.pop(neutral, None)
        literals = frozenset(part for part in flat if not isinstance(part, dual))
        if decisive in literals or any(negation(part) in literals for part in literals - {UNKNOWN}):
            return decisive
        reduced = tuple(_known(part, literals, neutral) if isinstance(part, dual) else part for part in flat)
        if reduced == tuple(flat):
            break
        parts = reduced
    kept = sorted(_weakest(dual, list(flat)), key=lambda part: (len(text(part)), text(part)))
    return neutral if not kept else kept[0] if len(kept) == 1 else kind(tuple(kept))


def _flat(kind: type[And] | type[Or], parts: tuple[Formula, ...]) -> Iterable[Formula]:
    for part in parts:
        if isinstance(part, And | Or) and isinstance(part, kind):
            yield from _flat(kind, part.parts)
        else:
            yield part


def _known(formula: Formula, literals: frozenset[Formula], value: Formula) -> Formula:
    """`formula` where each of `literals` has this value: beside a, the a in `b | a` adds nothing."""
    if isinstance(formula, And | Or):
        return _join(type(formula), tuple(_known(part, literals, value) for part in formula.parts))
    if formula in literals:
        return value
    if formula is not UNKNOWN and negation(formula) in literals:
        return negation(value)
    return formula


def _weakest(dual: type[And] | type[Or], parts: list[Formula]) -> list[Formula]:
    """Without the parts that another one implies: of `(a | b) & (a | b | c)` the first is enough."""
    sets = {part: set(part.parts) for part in parts if isinstance(part, And | Or) and isinstance(part, dual)}
    return [
        part for part in parts if part not in sets or not any(other < sets[part] for other in sets.values())
    ]
