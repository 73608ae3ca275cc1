"""Formulas as text, with as few parentheses as possible: `parse(text(formula)) is formula`.

Binding, tightest first: `! X N F G`, then `U W R`, then `&`, then `|`, then `->`. The binary temporal
operators and `->` group to the right.
"""

from __future__ import annotations

import re
from functools import lru_cache

from untrod.ltl.nodes import (
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

ARROW, EITHER, BOTH, UNTIL, PREFIX = range(5)
"""How tightly an operator binds."""

PLAIN = re.compile(r'[^\s"\[\]\\=~]([^"\[\]\\\n\r]*[^\s"\[\]\\])?')
"""Values that need no quotes."""

CONSTANTS = {True: "true", False: "false", None: "unknown"}
ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


@lru_cache(maxsize=1 << 14)
def text(formula: Formula) -> str:
    match formula:
        case Constant(value):
            return CONSTANTS[value]
        case Atom(name, operator, value):
            return f"[{name} {operator} {quoted(value)}]"
        case Not(of):
            return "!" + _inside(of, PREFIX)
        case Next(of):
            return "X " + _inside(of, PREFIX)
        case WeakNext(of):
            return "N " + _inside(of, PREFIX)
        case Eventually(of, bound):
            return f"F{_bound(bound)} {_inside(of, PREFIX)}"
        case Always(of, bound):
            return f"G{_bound(bound)} {_inside(of, PREFIX)}"
        case Until(left, right, bound):
            return _binary(left, f"U{_bound(bound)}", right, UNTIL)
        case WeakUntil(left, right, bound):
            return _binary(left, f"W{_bound(bound)}", right, UNTIL)
        case Release(left, right, bound):
            return _binary(left, f"R{_bound(bound)}", right, UNTIL)
        case And(parts):
            return " & ".join(_inside(part, BOTH + 1) for part in parts)
        case Or(parts):
            return " | ".join(_inside(part, EITHER + 1) for part in parts)
        case Implies(left, right):
            return _binary(left, "->", right, ARROW)
    raise TypeError(f"not a formula: {formula!r}")


def quoted(value: str) -> str:
    """A value as it is written inside an atom: bare where that is clear, else in double quotes."""
    if PLAIN.fullmatch(value) and value.isprintable():
        return value
    return '"' + "".join(ESCAPES.get(character, character) for character in value) + '"'


def duration(milliseconds: int) -> str:
    """`2s`, `1.5s`, `250ms`: in seconds where that is shorter."""
    if milliseconds % 100:
        return f"{milliseconds}ms"
    seconds, rest = divmod(milliseconds, 1000)
    return f"{seconds}.{rest // 100}s" if rest else f"{seconds}s"


def _bound(bound: Bound | None) -> str:
    if bound is None:
        return ""
    limit = str(bound.limit) if bound.unit == "steps" else duration(bound.limit)
    return f"[<={limit} left]" if bound.running else f"[<={limit}]"


def _binary(left: Formula, operator: str, right: Formula, level: int) -> str:
    return f"{_inside(left, level + 1)} {operator} {_inside(right, level)}"


def _inside(formula: Formula, level: int) -> str:
    return text(formula) if _level(formula) >= level else f"({text(formula)})"


def _level(formula: Formula) -> int:
    match formula:
        case Implies():
            return ARROW
        case Or():
            return EITHER
        case And():
            return BOTH
        case Until() | WeakUntil() | Release():
            return UNTIL
    return PREFIX
