"""From terms to Z3 expressions, each once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import z3  # type: ignore[import-untyped]

from untrod.symbolic.lean.terms import (
    ADD,
    AND,
    CONST,
    DIV,
    EQUAL,
    FLAG,
    ITE,
    LESS,
    MOD,
    MUL,
    NOT,
    OR,
    VAR,
    Term,
)


def _divide(left: Any, right: Any) -> Any:
    """Z3's division leaves a remainder that is never negative; Python's has the sign of the divisor."""
    if z3.is_int_value(right) and right.as_long() > 0:
        return left / right
    return z3.If(z3.And(right < 0, left % right != 0), left / right - 1, left / right)


def _modulo(left: Any, right: Any) -> Any:
    rest = left % right
    if z3.is_int_value(right) and right.as_long() > 0:
        return rest
    return z3.If(z3.And(right < 0, rest != 0), rest + right, rest)


_BUILD: dict[int, Callable[..., Any]] = {
    ADD: lambda left, right: left + right,
    MUL: lambda left, right: left * right,
    DIV: _divide,
    MOD: _modulo,
    ITE: z3.If,
    LESS: lambda left, right: left < right,
    EQUAL: lambda left, right: left == right,
    NOT: z3.Not,
    AND: z3.And,
    OR: z3.Or,
}


class Translator:
    """Remembers what it has translated, for one Z3 context (a fresh one unless given)."""

    def __init__(self, context: Any = None) -> None:
        self.context = z3.Context() if context is None else context
        self._known: dict[Term, Any] = {}

    def __len__(self) -> int:
        return len(self._known)

    def expression(self, term: Term) -> Any:
        """Not recursive: a term may be deeper than Python's stack."""
        known = self._known
        if term in known:
            return known[term]
        todo = [term]
        while todo:
            node = todo[-1]
            if node in known:
                todo.pop()
            elif node.op <= FLAG:
                known[todo.pop()] = self._leaf(node)
            else:
                missing = [arg for arg in node.args if arg not in known]
                todo.extend(missing)
                if not missing:
                    known[todo.pop()] = _BUILD[node.op](*[known[arg] for arg in node.args])
        return known[term]

    def _leaf(self, term: Term) -> Any:
        if term.op == VAR:
            return z3.Int(f"x{term.args[0]}", self.context)
        if term.op == FLAG:
            return z3.Bool(f"x{term.args[0]}", self.context)
        assert term.op == CONST
        if type(term.value) is bool:
            return z3.BoolVal(term.value, self.context)
        return z3.IntVal(term.value, self.context)
