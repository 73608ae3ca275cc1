"""The condition of a branch: a Z3 expression."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import z3  # type: ignore[import-untyped]

from untrod.symbolic.protocol import Condition
from untrod.symbolic.ranges import (
    DEEPEST,
    MOST_PARTS,
    Ranges,
    compared,
    complement,
    intersection,
    only,
    union,
)

_OPERATORS = {
    z3.Z3_OP_LT: "<",
    z3.Z3_OP_LE: "<=",
    z3.Z3_OP_GT: ">",
    z3.Z3_OP_GE: ">=",
    z3.Z3_OP_EQ: "==",
    z3.Z3_OP_DISTINCT: "!=",
}
_SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


@dataclass(frozen=True, eq=False)
class CrosshairCondition:
    """`expression` is a Z3 boolean. `value` is the one proposed, in a decision of kind `value`."""

    expression: Any
    value: Any = None

    @cached_property
    def key(self) -> int:
        """Z3's own structural hash: a microsecond, where writing the expression out takes a thousand."""
        return int(self.expression.hash())

    def same(self, other: Condition) -> bool:
        """The very same expression: Z3 keeps one copy of each."""
        return isinstance(other, CrosshairCondition) and bool(self.expression.eq(other.expression))

    def ranges(self) -> tuple[str, Ranges] | None:
        return _values(self.expression)

    def smt2(self) -> str:
        return str(self.expression.sexpr())


def _values(expression: Any, depth: int = 0) -> tuple[str, Ranges] | None:
    """For which values of its input it holds, where it has only one."""
    if not z3.is_app(expression) or depth > DEEPEST or expression.num_args() > MOST_PARTS:
        return None
    if _is_variable(expression):
        return expression.decl().name(), only(1)
    parts = expression.children()
    if z3.is_not(expression):
        inner = _values(parts[0], depth + 1)
        return inner and (inner[0], complement(inner[1]))
    if z3.is_and(expression) or z3.is_or(expression):
        found = [_values(part, depth + 1) for part in parts]
        known = [one for one in found if one is not None]
        if len(known) < len(found) or len({name for name, _ in known}) != 1:
            return None
        join = intersection if z3.is_and(expression) else union
        return known[0][0], join(*(ranges for _, ranges in known))
    operator = _OPERATORS.get(expression.decl().kind())
    return _compared(operator, *parts) if operator is not None and len(parts) == 2 else None


def _compared(operator: str, left: Any, right: Any) -> tuple[str, Ranges] | None:
    if z3.is_int_value(left):
        left, right, operator = right, left, _SWAPPED[operator]
    if not (z3.is_int_value(right) and _is_variable(left)):
        return None
    return left.decl().name(), compared(operator, right.as_long())


def _is_variable(expression: Any) -> bool:
    return bool(z3.is_const(expression)) and bool(expression.decl().kind() == z3.Z3_OP_UNINTERPRETED)
