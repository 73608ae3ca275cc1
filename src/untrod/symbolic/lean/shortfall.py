"""How far a condition was from going the other way: the branch distance of search-based testing."""

from __future__ import annotations

from untrod.symbolic.lean.candidate import Candidate
from untrod.symbolic.lean.terms import AND, EQUAL, ITE, LESS, NOT, OR, Term
from untrod.symbolic.ranges import DEEPEST


def shortfall(term: Term, side: bool, candidate: Candidate, deep: int = DEEPEST) -> int:
    """0 where `term` is `side` under the candidate; else the more, the further it is from that.

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
