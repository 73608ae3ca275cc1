"""How long a trace has to be before it can satisfy a formula at all."""

from __future__ import annotations

from untrod.core.errors import UntrodError
from untrod.ltl.nodes import (
    Always,
    And,
    Eventually,
    Formula,
    Next,
    Or,
    Release,
    Until,
    WeakUntil,
)
from untrod.ltl.simplify import negation, simplify


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
