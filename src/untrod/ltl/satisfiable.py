"""Is there any trace at all that satisfies a formula, and how long is it at least? Progression answers.

The formulas that progression can reach from one are finitely many. So look at them breadth first, taking at
each all letters that differ for it, until one can end: that gives a shortest witness. If none is left, the
formula is contradictory, and no campaign needs to be started.

Atoms are not independent. Where `[text = OK]` holds, `[text ~ o]` holds; and a name that has only one value
at a time, such as `activity`, cannot have two. Nothing is known about the application, of course: that
`[left = 2]` never comes to pass is for the campaign to find out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from untrod.core.errors import UntrodError
from untrod.ltl.nodes import (
    FALSE,
    TRUE,
    Always,
    And,
    Atom,
    Eventually,
    Formula,
    Next,
    Not,
    Or,
    Release,
    Temporal,
    Until,
    WeakUntil,
    children,
)
from untrod.ltl.progression import advance, expand, last, restrict
from untrod.ltl.simplify import negation, simplify

SINGLE_VALUED = frozenset({"activity", "package", "screen", "url", "title", "actionType", "actionValue"})
"""Names with at most one value at a step."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """A letter as far as it matters: which atoms hold, and which do not. The others may do either."""

    holds: frozenset[Atom] = frozenset()
    fails: frozenset[Atom] = frozenset()

    def truth(self, atom: Atom) -> bool | None:
        return True if atom in self.holds else False if atom in self.fails else None

    def plus(self, atom: Atom, value: bool) -> Assignment:
        extra = frozenset((atom,))
        return Assignment(
            self.holds | extra if value else self.holds, self.fails if value else self.fails | extra
        )


@dataclass(frozen=True, slots=True)
class Satisfiability:
    """`possible` is None when the search was given up. `witness` is a shortest trace, when there is one."""

    possible: bool | None
    witness: tuple[Assignment, ...] = ()
    looked_at: int = 0


def satisfiable(
    formula: Formula, *, single_valued: frozenset[str] = SINGLE_VALUED, limit: int = 20_000
) -> Satisfiability:
    """Looks at no more than `limit` letters. Formulas with bounds in time are given up at once."""
    start = simplify(formula)
    if _is_timed(start):
        return Satisfiability(None)
    level: dict[Formula, tuple[Assignment, ...]] = {start: ()}
    seen = {start}
    looked_at = 0
    while level:
        following: dict[Formula, tuple[Assignment, ...]] = {}
        for state, trace in level.items():
            for letter, rest, ended in _letters(expand(state), last(state), Assignment(), single_valued):
                looked_at += 1
                if ended is TRUE:
                    return Satisfiability(True, (*trace, letter), looked_at)
                if looked_at >= limit:
                    return Satisfiability(None, (), looked_at)
                if rest is not FALSE and rest not in seen:
                    seen.add(rest)
                    following[rest] = (*trace, letter)
        level = following
    return Satisfiability(False, (), looked_at)


def _letters(
    now: Formula, end: Formula, letter: Assignment, single_valued: frozenset[str]
) -> Iterator[tuple[Assignment, Formula, Formula]]:
    """Each letter that makes a difference, what is left after it, and what it is worth as the last one."""
    if end is TRUE or (now is FALSE and end is FALSE):
        yield letter, now, end
        return
    atom = _present_atom(And((end, now)))
    if atom is None:
        yield letter, advance(now), end
        return
    for value in (True, False):
        extended = letter.plus(atom, value)
        if consistent(extended, single_valued):
            yield from _letters(restrict(now, extended), restrict(end, extended), extended, single_valued)


def consistent(letter: Assignment, single_valued: frozenset[str] = SINGLE_VALUED) -> bool:
    """Can there be labels for which exactly this holds?"""
    for one in letter.holds:
        for other in letter.fails:
            if one.name == other.name and _implies(one, other):
                return False
        if one.operator == "=" and one.name in single_valued:
            for other in letter.holds:
                if one.name == other.name and one is not other and not _implies(one, other):
                    return False
    return True


def _implies(one: Atom, other: Atom) -> bool:
    """Does every value that matches `one` match `other`?"""
    if other.operator == "=":
        return one is other
    return other.value.casefold() in one.value.casefold()


def _present_atom(formula: Formula) -> Atom | None:
    """Some atom of the present step: one that does not stand behind X or N."""
    if isinstance(formula, Atom):
        return formula
    if isinstance(formula, Not | And | Or):
        for part in children(formula):
            atom = _present_atom(part)
            if atom is not None:
                return atom
    return None


def _is_timed(formula: Formula) -> bool:
    bound = formula.bound if isinstance(formula, Temporal) else None
    return (bound is not None and bound.unit == "ms") or any(map(_is_timed, children(formula)))


def depth(formula: Formula) -> int:
    """No trace with fewer steps after its first letter satisfies the formula.

    It counts the X that cannot be avoided, which is quick and a lower bound: `satisfiable` finds the exact
    number.
    """
    return _depth(simplify(formula))


def require_steps(formula: Formula, steps: int, *, violate: bool = False) -> None:
    """Refuse a campaign that cannot succeed. The first letter, that of the reset, is not counted as a
    step."""
    needed = depth(negation(simplify(formula)) if violate else formula)
    if needed > steps:
        wish = "break" if violate else "satisfy"
        raise UntrodError(
            f"to {wish} {formula} takes at least {needed} steps, and an episode has {steps}",
            f"use --steps {needed} or more",
        )


def _depth(formula: Formula) -> int:
    match formula:
        case Next(of):
            return 1 + _depth(of)
        case And(parts):
            return max(map(_depth, parts))
        case Or(parts):
            return min(map(_depth, parts))
        case Eventually(of) | Always(of):
            return _depth(of)
        case Until(_, right) | Release(_, right):
            return _depth(right)
        case WeakUntil(left, right):
            return min(_depth(left), _depth(right))
    return 0
