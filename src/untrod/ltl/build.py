"""Formulas in Python: `F(text("Saved") & X(action("click", "Close")))`.

`~a`, `a & b`, `a | b` and `a >> b` are `!a`, `a & b`, `a | b` and `a -> b`. `within` bounds an operator: a
number of steps, or a time such as "2s" or "500ms".
"""

from __future__ import annotations

import re

from untrod.core.errors import UntrodError
from untrod.ltl.labels import Value, spelled
from untrod.ltl.nodes import (
    Always,
    And,
    Atom,
    Bound,
    Eventually,
    Formula,
    Next,
    Release,
    Until,
    WeakNext,
    WeakUntil,
)

Within = int | str | None


def contains(name: str, value: Value) -> Formula:
    """`[name ~ value]`: some value of this label contains this one, in upper or lower case."""
    return Atom(_checked(name), "~", spelled(value))


def equals(name: str, value: Value) -> Formula:
    """`[name = value]`: some value of this label is exactly this one."""
    return Atom(_checked(name), "=", spelled(value))


def text(value: str) -> Formula:
    """The screen shows this text."""
    return contains("text", value)


def activity(value: str) -> Formula:
    """The screen is this one, or has this in its name."""
    return contains("activity", value)


def action(kind: str, detail: str = "", value: str = "") -> Formula:
    """The step was this action: `action("click", "About")`, `action("text", "Name", "Ann")`."""
    parts = [equals("actionType", kind)]
    if detail:
        parts.append(contains("actionDetail", detail))
    if value:
        parts.append(equals("actionValue", value))
    return parts[0] if len(parts) == 1 else And(tuple(parts))


def X(formula: Formula) -> Formula:
    return Next(formula)


def N(formula: Formula) -> Formula:
    return WeakNext(formula)


def F(formula: Formula, within: Within = None) -> Formula:
    return Eventually(formula, bound(within))


def G(formula: Formula, within: Within = None) -> Formula:
    return Always(formula, bound(within))


def U(left: Formula, right: Formula, within: Within = None) -> Formula:
    return Until(left, right, bound(within))


def W(left: Formula, right: Formula, within: Within = None) -> Formula:
    return WeakUntil(left, right, bound(within))


def R(left: Formula, right: Formula, within: Within = None) -> Formula:
    return Release(left, right, bound(within))


def bound(within: Within) -> Bound | None:
    if within is None:
        return None
    if isinstance(within, int) and within >= 0:
        return Bound(within)
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(ms|s)", str(within))
    if not found:
        raise UntrodError(f"{within!r} is not a bound", 'write 3 for steps, "2s" or "500ms" for time')
    return Bound(round(float(found[1]) * (1000 if found[2] == "s" else 1)), "ms")


def _checked(name: str) -> str:
    if not re.fullmatch(r"[^\W\d][\w.\-]*", name):
        raise UntrodError(f"{name!r} cannot be the name of a label", "use letters, digits, _ . and -")
    return name
