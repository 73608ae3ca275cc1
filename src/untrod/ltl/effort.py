"""How much of a formula is still to be shown: a measure for a search that wants to come closer.

N, the paper's count of atoms, grows when an F unfolds: after an a, `F (a & X b)` is `b | F (a & X b)`, which
is longer and nearer to the end. What counts is the cheapest way out, so of a disjunction only the cheapest
part counts.
"""

from __future__ import annotations

from functools import lru_cache

from untrod.ltl.nodes import (
    FALSE,
    And,
    Atom,
    Eventually,
    Formula,
    Next,
    Not,
    Or,
    Until,
)

NEVER = 1 << 30


@lru_cache(maxsize=1 << 14)
def effort(formula: Formula, shown: frozenset[Atom] | None = None) -> int:
    """How many atoms have to be settled by steps to come, at the least. What only has to stay as it is (G, W,
    R) is free.

    `shown` are the atoms that hold where one is now. What a screen shows is often shown by the next one as
    well, so with it an atom counts only as far as it would have to change.
    """
    match formula:
        case Atom():
            return int(shown is None or formula not in shown)
        case Not(Atom() as atom):
            return int(shown is None or atom in shown)
        case And(parts):
            return min(NEVER, sum(effort(part, shown) for part in parts))
        case Or(parts):
            return min(effort(part, shown) for part in parts)
        case Next(of) | Eventually(of):
            return effort(of, shown)
        case Until(_, right):
            return effort(right, shown)
    return NEVER if formula is FALSE else 0
