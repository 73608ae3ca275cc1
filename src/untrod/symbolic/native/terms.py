"""Expressions over the bytes of an input: bit vectors and truth values, equal ones the same object.

A value is an `int` where it is known and a `Term` where it is not; a truth value is a `bool` or a `Term` of
size 0. The functions below make new ones and fold what is known, so that symbolic data that stops mattering
disappears. What they mean is what SMT-LIB says of the same names, and `evaluate` computes it.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from untrod.symbolic.native.arithmetic import ARITHMETIC, COMPARISONS, MASKS, signed

DEEPEST = 300
"""Deeper terms are made concrete: they help no solver, and recursion over them would overflow the stack."""


class Term:
    """`vars` has a bit for each input byte in it."""

    __slots__ = ("args", "depth", "op", "size", "vars")

    def __init__(self, op: str, size: int, args: tuple[Value, ...], vars: int, depth: int) -> None:
        self.op = op
        self.size = size
        self.args = args
        self.vars = vars
        self.depth = depth

    def __repr__(self) -> str:
        return f"({self.op} {' '.join(map(repr, self.args))}):{self.size}"


Value: TypeAlias = Any
"""`int | Term`, told apart by class: this is the hottest code there is, and mypy does not follow."""
Truth: TypeAlias = Any
"""`bool | Term`."""
_COMMUTATIVE = frozenset(("add", "mul", "and", "or", "xor"))
_table: dict[tuple[object, ...], Term] = {}


def make(op: str, size: int, *args: Value) -> Term:
    key = (op, size, *args)
    found = _table.get(key)
    if found is None:
        vars = depth = 0
        for arg in args:
            if arg.__class__ is Term:
                vars |= arg.vars
                if arg.depth > depth:
                    depth = arg.depth
        found = _table[key] = Term(op, size, args, vars, depth + 1)
    return found


def table_size() -> int:
    return len(_table)


def forget() -> None:
    """Terms made from now on are new: equal ones from before are other objects."""
    _table.clear()


def variable(number: int) -> Term:
    """An input byte."""
    key = ("var", 8, number)
    found = _table.get(key)
    if found is None:
        found = _table[key] = Term("var", 8, (number,), 1 << number, 1)
    return found


# -- bit vectors -------------------------------------------------------------------------------------


def extract(value: Value, low: int, size: int) -> Value:
    if value.__class__ is int:
        return value >> low & MASKS[size]
    term: Term = value
    if low == 0 and term.size == size:
        return term
    op, args = term.op, term.args
    if op in ("zx", "sx"):
        inner: Term = args[0]
        if low + size <= inner.size:
            return extract(inner, low, size)
        if op == "zx" and low >= inner.size:
            return 0
        if low == 0:
            return make(op, size, inner)
    elif op == "concat":
        high, rest, width = args
        if low + size <= width:
            return extract(rest, low, size)
        if low >= width:
            return extract(high, low - width, size)
    elif op == "extract":
        return extract(args[0], args[1] + low, size)
    elif op == "ite" and (args[1].__class__ is int or args[2].__class__ is int):
        return ite(args[0], size, extract(args[1], low, size), extract(args[2], low, size))
    elif op in ("and", "or", "xor") or (low == 0 and op in ("add", "sub", "mul")):
        return binary(op, size, extract(args[0], low, size), extract(args[1], low, size))
    return make("extract", size, term, low)


def zero_extend(value: Value, size: int) -> Value:
    if value.__class__ is int or value.size == size:
        return value
    if value.op == "zx":
        return make("zx", size, value.args[0])
    return make("zx", size, value)


def sign_extend(value: Value, width: int, size: int) -> Value:
    if value.__class__ is int:
        return signed(value, width) & MASKS[size]
    if width == size:
        return value
    if value.op in ("zx", "sx"):
        return make(value.op, size, value.args[0])
    return make("sx", size, value)


def concat(high: Value, high_size: int, low: Value, low_size: int) -> Value:
    if high.__class__ is int:
        if low.__class__ is int:
            return high << low_size | low
        if high == 0:
            return zero_extend(low, high_size + low_size)
    elif low.__class__ is Term and high.op == "extract" and low.op == "extract":
        of, start = low.args
        if high.args[0] is of and high.args[1] == start + low_size:
            return extract(of, start, high_size + low_size)
    return make("concat", high_size + low_size, high, low, low_size)


def binary(op: str, size: int, left: Value, right: Value) -> Value:
    """`add sub mul and or xor shl lshr ashr udiv urem sdiv srem rol ror`, both sides of the same size."""
    if left.__class__ is int:
        if right.__class__ is int:
            return ARITHMETIC[op](left, right, size)
        if op in _COMMUTATIVE:
            left, right = right, left
    if right.__class__ is int:
        if op == "sub":
            op, right = "add", -right & MASKS[size]
        if right == 0:
            if op in ("and", "mul"):
                return 0
            if op in ("add", "or", "xor", "shl", "lshr", "ashr", "rol", "ror"):
                return left
        elif (op == "and" and right == MASKS[size]) or (op == "mul" and right == 1):
            return left
        elif op == "add" and left.op == "add" and left.args[1].__class__ is int:
            total = left.args[1] + right & MASKS[size]
            return binary("add", size, left.args[0], total)
        elif op == "and" and left.op == "zx":
            inner: Term = left.args[0]
            return zero_extend(binary("and", inner.size, inner, right & MASKS[inner.size]), size)
    elif left is right:
        if op in ("sub", "xor"):
            return 0
        if op in ("and", "or"):
            return left
    return make(op, size, left, right)


def negate(value: Value, size: int) -> Value:
    return binary("sub", size, 0, value)


def complement(value: Value, size: int) -> Value:
    return binary("xor", size, value, MASKS[size])


def ite(condition: Truth, size: int, yes: Value, no: Value) -> Value:
    if condition.__class__ is bool:
        return yes if condition else no
    if yes is no or (yes.__class__ is int and yes == no):
        return yes
    return make("ite", size, condition, yes, no)


# -- truth values ------------------------------------------------------------------------------------


def compare(op: str, size: int, left: Value, right: Value) -> Truth:
    """`eq ult ule slt sle`."""
    if left.__class__ is int and right.__class__ is int:
        return COMPARISONS[op](left, right, size)
    if left is right:
        return op in ("eq", "ule", "sle")
    if op == "eq":
        if left.__class__ is int:
            left, right = right, left
        term: Term = left
        if right.__class__ is int:
            if term.op == "ite" and term.args[1].__class__ is int and term.args[2].__class__ is int:
                if (term.args[1] == right) == (term.args[2] == right):
                    return term.args[1] == right
                condition: Term = term.args[0]
                return condition if term.args[1] == right else invert(condition)
            if term.op == "zx":
                inner: Term = term.args[0]
                return right <= MASKS[inner.size] and compare("eq", inner.size, inner, right)
            if term.op == "add" and term.args[1].__class__ is int:
                return compare("eq", size, term.args[0], right - term.args[1] & MASKS[size])
    return make(op, 0, left, right, size)


def both(left: Truth, right: Truth) -> Truth:
    if left.__class__ is bool:
        return right if left else False
    if right.__class__ is bool:
        return left if right else False
    return make("both", 0, left, right)


def either(left: Truth, right: Truth) -> Truth:
    return invert(both(invert(left), invert(right)))


def differ(left: Truth, right: Truth) -> Truth:
    return either(both(left, invert(right)), both(invert(left), right))


def invert(truth: Truth) -> Truth:
    if truth.__class__ is bool:
        return not truth
    return truth.args[0] if truth.op == "not" else make("not", 0, truth)
