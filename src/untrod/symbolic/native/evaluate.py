"""What a term is worth, for one input or for all values of one byte."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from untrod.symbolic.native.arithmetic import ARITHMETIC, COMPARISONS, MASKS, signed
from untrod.symbolic.native.terms import Term, Value


def evaluate(value: Value, given: Sequence[int], known: dict[Term, int] | None = None) -> int:
    """With these input bytes. Truth values come out as 0 or 1; `known` remembers between calls."""
    if value.__class__ is not Term:
        return int(value)
    memo: dict[Term, int] = {} if known is None else known
    found = memo.get(value)
    if found is not None:
        return found
    op, args = value.op, value.args
    if op == "var":
        return int(given[args[0]])
    if op == "ite":
        result = evaluate(args[1] if evaluate(args[0], given, memo) else args[2], given, memo)
    else:
        result = _apply(value, [evaluate(arg, given, memo) for arg in args])
    memo[value] = result
    return result


def values(term: Term, known: dict[Term, list[int]] | None = None) -> list[int]:
    """For each value of its only input byte."""
    memo: dict[Term, list[int]] = {} if known is None else known
    found = memo.get(term)
    if found is not None:
        return found
    op, args = term.op, term.args
    if op == "var":
        result = list(range(256))
    else:
        columns: list[Any] = [
            values(arg, memo) if arg.__class__ is Term else [int(arg)] * 256 for arg in args
        ]
        if op == "ite":
            result = [yes if truth else no for truth, yes, no in zip(*columns, strict=True)]
        elif op in ARITHMETIC:
            work, size = ARITHMETIC[op], term.size
            result = [work(left, right, size) for left, right in zip(*columns, strict=True)]
        else:
            result = [_apply(term, row) for row in zip(*columns, strict=True)]
    memo[term] = result
    return result


def _apply(term: Term, row: Sequence[int]) -> int:
    """The operation of `term`, which is no `var` and no `ite`, on the values of its arguments."""
    op = term.op
    if op in ARITHMETIC:
        return ARITHMETIC[op](row[0], row[1], term.size)
    if op in COMPARISONS:
        return int(COMPARISONS[op](row[0], row[1], row[2]))
    if op == "zx":
        return row[0]
    if op == "sx":
        return signed(row[0], term.args[0].size) & MASKS[term.size]
    if op == "extract":
        return row[0] >> row[1] & MASKS[term.size]
    if op == "concat":
        return row[0] << row[2] | row[1]
    return int(bool(row[0] and row[1])) if op == "both" else int(not row[0])
