"""What proxies compute: expressions over the inputs, each existing once.

Terms are interned: two structurally equal terms are the same object. So a question that was asked before is
recognised by identity, a term is translated to Z3 once and not once for each path, and comparing a prefix
with what the solver holds is comparing pointers. They are also cheap: a Z3 expression costs 15 µs to build
from Python, a term under 1 µs.

A term's `key` depends on its structure alone, in every process, and not on hash randomisation.
folding.py builds terms; nothing else should call `intern`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from untrod.symbolic.ranges import Ranges

CONST, VAR, FLAG, ADD, MUL, DIV, MOD, ITE, LESS, EQUAL, NOT, AND, OR = range(13)
"""The operators. VAR is an int input, FLAG a bool input. CONST is 0 so that it can be asked for cheaply."""


class Term:
    """`args` are terms; for CONST the value; for VAR the input's number and bounds; for FLAG its number."""

    __slots__ = ("args", "key", "op", "stamp", "value")

    def __init__(self, op: int, args: tuple[Any, ...], key: int) -> None:
        self.op = op
        self.args = args
        self.key = key
        self.stamp = -1  # of the candidate under which `value` was worked out
        self.value: Any = args[0] if op == CONST else None

    def ranges(self) -> tuple[str, Ranges] | None:
        """As `protocol.Condition` has it."""
        from untrod.symbolic.lean.values import values_of

        return values_of(self)

    def smt2(self) -> str:
        from untrod.symbolic.lean.translate import Translator

        return Translator().expression(self).sexpr()  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"<term {self.smt2()}>"


_TABLE: dict[tuple[Any, ...], Term] = {}
SMALL = 16


def intern(op: int, *args: Any) -> Term:
    """The one term with this operator and these arguments."""
    place = (op, *args)
    found = _TABLE.get(place)
    if found is None:
        found = _TABLE[place] = Term(op, args, hash((op, *[arg.key for arg in args])))
    return found


def constant(value: int) -> Term:
    """For a bool, too: True and 1 are different terms."""
    place = (CONST, type(value), value)
    found = _TABLE.get(place)
    if found is None:
        # hash(-1) == hash(-2): moved away from there.
        found = _TABLE[place] = Term(CONST, (value,), hash((CONST, type(value) is bool, value + (1 << 40))))
    return found


def variable(number: int, low: int | None, high: int | None) -> Term:
    place = (VAR, number, low, high)
    found = _TABLE.get(place)
    if found is None:
        found = _TABLE[place] = Term(VAR, (number, low, high), hash((VAR, number)))
    return found


def flag(number: int) -> Term:
    place = (FLAG, number)
    found = _TABLE.get(place)
    if found is None:
        found = _TABLE[place] = Term(FLAG, (number,), hash((FLAG, number)))
    return found


def table_size() -> int:
    return len(_TABLE)


def forget() -> None:
    """Forget all terms that are not held elsewhere. Only between paths: equal terms made before and after it
    are no longer the same object (their keys still agree). Small constants stay: folding.py and others hold
    some, and a question about another zero would not be known for the same."""
    kept = {place: term for place, term in _TABLE.items() if place[0] == CONST and abs(place[2]) <= SMALL}
    _TABLE.clear()
    _TABLE.update(kept)


TRUE, FALSE = constant(True), constant(False)


def _divide(left: int, right: int) -> int:
    return left // right if right else 0  # a path on which the divisor is 0 has raised before this matters


def _modulo(left: int, right: int) -> int:
    return left % right if right else 0


PYTHON: dict[int, Callable[..., Any]] = {
    ADD: operator.add,
    MUL: operator.mul,
    DIV: _divide,
    MOD: _modulo,
    ITE: lambda condition, then, otherwise: then if condition else otherwise,
    LESS: operator.lt,
    EQUAL: operator.eq,
    NOT: operator.not_,
    AND: lambda *parts: all(parts),
    OR: lambda *parts: any(parts),
}
"""What the operators mean, in Python: the definition that translate.py is tested against."""
