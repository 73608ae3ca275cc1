"""The condition of a branch: a Z3 expression."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import z3  # type: ignore[import-untyped]

from untrod.symbolic.protocol import Condition

_OPERATORS = {
    z3.Z3_OP_LT: "<",
    z3.Z3_OP_LE: "<=",
    z3.Z3_OP_GT: ">",
    z3.Z3_OP_GE: ">=",
    z3.Z3_OP_EQ: "==",
    z3.Z3_OP_DISTINCT: "!=",
}
_SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


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

    def core(self) -> tuple[str, str, int] | None:
        expression, negated = self.expression, False
        while z3.is_not(expression):
            expression, negated = expression.arg(0), not negated
        operator = _OPERATORS.get(expression.decl().kind()) if z3.is_app(expression) else None
        if operator is None or expression.num_args() != 2:
            return None
        left, right = expression.arg(0), expression.arg(1)
        if z3.is_int_value(left):
            left, right, operator = right, left, _SWAPPED[operator]
        if not (z3.is_int_value(right) and _is_variable(left)):
            return None
        return left.decl().name(), _NEGATED[operator] if negated else operator, right.as_long()

    def smt2(self) -> str:
        return str(self.expression.sexpr())


def _is_variable(expression: Any) -> bool:
    return bool(z3.is_const(expression)) and bool(expression.decl().kind() == z3.Z3_OP_UNINTERPRETED)
