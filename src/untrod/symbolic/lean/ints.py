"""The proxy for int.

It does not subclass int, and must not: C code would read the value inside (`range(x)`, `items[x]`, `int(x)`)
and silently take it for the truth. It says `int` when asked for its `__class__`, which satisfies
`isinstance`; C code finds no int, calls `__index__`, and the value is made concrete as a decision of the
path. What remains is `type(x) is int`, which rewriting.py mends where it can see the source.
"""

from __future__ import annotations

import math
from typing import Any

from untrod.symbolic.lean import bools, current
from untrod.symbolic.lean.current import internally, unsupported
from untrod.symbolic.lean.folding import (
    ONE,
    ZERO,
    add,
    as_int,
    at_most,
    choose,
    conjunction,
    disjunction,
    divide,
    equal,
    exclusive,
    less,
    modulo,
    multiply,
    negate,
    negative,
    subtract,
)
from untrod.symbolic.lean.terms import CONST, FALSE, Term, constant

LARGEST_POWER = 8
LARGEST_SHIFT = 4096


def make_int(term: Term) -> Any:
    """A proxy, or a plain int where the term is constant."""
    return term.value if term.op == CONST else LeanInt(term)


def term_of(value: Any) -> Term | None:
    """The term of anything that is an int, None for everything else."""
    kind = type(value)
    if kind is LeanInt:
        return value.term  # type: ignore[no-any-return]
    if kind is int:
        return constant(value)
    if kind is bools.LeanBool:
        return as_int(value.term)
    if isinstance(value, int):  # bool, enum.IntEnum and the like
        return constant(int(value))
    return None


class LeanInt:
    __slots__ = ("term",)

    def __init__(self, term: Term) -> None:
        self.term = term

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return int

    # Comparisons. With a float they are exact: nothing is rounded.

    def __lt__(self, other: Any) -> Any:
        right = term_of(other)
        return compared(self.term, "<", other) if right is None else bools.make_bool(less(self.term, right))

    def __gt__(self, other: Any) -> Any:
        right = term_of(other)
        return compared(self.term, ">", other) if right is None else bools.make_bool(less(right, self.term))

    def __le__(self, other: Any) -> Any:
        right = term_of(other)
        return (
            compared(self.term, "<=", other) if right is None else bools.make_bool(at_most(self.term, right))
        )

    def __ge__(self, other: Any) -> Any:
        right = term_of(other)
        return (
            compared(self.term, ">=", other) if right is None else bools.make_bool(at_most(right, self.term))
        )

    def __eq__(self, other: Any) -> Any:
        right = term_of(other)
        return compared(self.term, "==", other) if right is None else bools.make_bool(equal(self.term, right))

    def __ne__(self, other: Any) -> Any:
        right = term_of(other)
        return (
            compared(self.term, "!=", other)
            if right is None
            else bools.make_bool(negate(equal(self.term, right)))
        )

    # Arithmetic.

    def __add__(self, other: Any) -> Any:
        right = term_of(other)
        return combined("+", other) if right is None else make_int(add(self.term, right))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        right = term_of(other)
        return combined("-", other) if right is None else make_int(subtract(self.term, right))

    def __rsub__(self, other: Any) -> Any:
        left = term_of(other)
        return combined("r-", other) if left is None else make_int(subtract(left, self.term))

    def __mul__(self, other: Any) -> Any:
        right = term_of(other)
        if right is None:
            return other * self.__index__() if hasattr(type(other), "__getitem__") else combined("*", other)
        return make_int(multiply(self.term, right))

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Any:
        return _divided(self, other, divide)

    def __rfloordiv__(self, other: Any) -> Any:
        return _divided(other, self, divide)

    def __mod__(self, other: Any) -> Any:
        return _divided(self, other, modulo)

    def __rmod__(self, other: Any) -> Any:
        return _divided(other, self, modulo)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __truediv__(self, other: Any) -> Any:
        unsupported("a division with / of a symbolic int")

    __rtruediv__ = __truediv__

    def __pow__(self, other: Any, mod: Any = None) -> Any:
        if isinstance(other, float):
            unsupported("a symbolic int to the power of a float")
        power = other.__index__()
        if not 0 <= power <= LARGEST_POWER:
            unsupported(f"a symbolic int to the power of {power}")
        result: Any = 1
        for _ in range(power):
            result = self * result
        return result if mod is None else result % mod

    def __rpow__(self, other: Any) -> Any:
        return other ** self.__index__()

    def __neg__(self) -> Any:
        return make_int(negative(self.term))

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return make_int(choose(less(self.term, ZERO), negative(self.term), self.term))

    def __invert__(self) -> Any:
        return make_int(subtract(negative(self.term), ONE))

    def __lshift__(self, other: Any) -> Any:
        return self * (1 << _shift(other))

    def __rshift__(self, other: Any) -> Any:
        return self // (1 << _shift(other))

    def __rlshift__(self, other: Any) -> Any:
        return other << _shift(self)

    def __rrshift__(self, other: Any) -> Any:
        return other >> _shift(self)

    def __and__(self, other: Any) -> Any:
        return _bitwise(self, other, conjunction)

    def __or__(self, other: Any) -> Any:
        return _bitwise(self, other, disjunction)

    def __xor__(self, other: Any) -> Any:
        return _bitwise(self, other, exclusive)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __trunc__(self) -> Any:
        return self

    __floor__ = __ceil__ = __trunc__

    def __round__(self, digits: Any = None) -> Any:
        return self if digits is None or digits >= 0 else unsupported("rounding a symbolic int")

    # Where Python wants a real value.

    def __bool__(self) -> bool:
        return current.run.branch(negate(equal(self.term, ZERO)))

    def __index__(self) -> int:
        return current.run.concretise((self.term,))[0]

    __int__ = __index__

    def __float__(self) -> float:
        unsupported("a symbolic int as a float")

    def __complex__(self) -> complex:
        unsupported("a symbolic int as a complex number")

    def __hash__(self) -> int:
        return hash(self.__index__())

    def __repr__(self) -> str:
        return repr(self.__index__())

    def __str__(self) -> str:
        return str(self.__index__())

    def __format__(self, spec: str) -> str:
        return format(self.__index__(), spec)

    def __copy__(self) -> LeanInt:
        return self

    def __deepcopy__(self, memo: Any) -> LeanInt:
        return self

    def __getattr__(self, name: str) -> Any:
        if hasattr(int, name):
            unsupported(f"int.{name} of a symbolic int")
        raise AttributeError(f"'int' object has no attribute {name!r}")


def _divided(left: Any, right: Any, operation: Any) -> Any:
    dividend, divisor = term_of(left), term_of(right)
    if dividend is None or divisor is None:
        return combined("//", right if dividend is not None else left)
    if internally(equal(divisor, ZERO)):
        raise ZeroDivisionError("integer division or modulo by zero")
    return make_int(operation(dividend, divisor))


def _shift(amount: Any) -> int:
    count = amount.__index__()
    if count < 0:
        raise ValueError("negative shift count")
    if count > LARGEST_SHIFT:
        unsupported(f"a shift of a symbolic int by {count}")
    return int(count)


def _bitwise(left: Any, right: Any, operation: Any) -> Any:
    first, second = term_of(left), term_of(right)
    if first is None or second is None:
        return NotImplemented
    if first.op == CONST:
        first, second = second, first
    if second.op != CONST:
        unsupported("a bitwise operation on two symbolic ints")
    return make_int(operation(first, second.value))


# -- where an int meets a float: comparisons are exact, in integers (x < 1.5 is x <= 1) ------------------


def combined(sign: str, other: Any) -> Any:
    """`x sign other`; `r-` is `other - x`. Only infinity stays what it is, whatever x may be."""
    if not isinstance(other, float):
        return NotImplemented
    if math.isinf(other) and sign in ("+", "-", "r-"):
        return -other if sign == "-" else other
    return unsupported("arithmetic of a symbolic int and a float")


def compared(term: Term, sign: str, other: Any) -> Any:
    """`x sign other`"""
    if not isinstance(other, float):
        return NotImplemented
    if math.isnan(other):
        return sign == "!="
    if math.isinf(other):
        return {"<": other > 0, "<=": other > 0, ">": other < 0, ">=": other < 0, "==": False, "!=": True}[
            sign
        ]
    floor, whole = constant(math.floor(other)), other.is_integer()
    equals = equal(term, floor) if whole else FALSE
    below = less(term, floor) if whole else at_most(term, floor)
    answers = {
        "<": below,
        "<=": at_most(term, floor),
        ">": negate(at_most(term, floor)),
        ">=": negate(below),
        "==": equals,
        "!=": negate(equals),
    }
    return bools.make_bool(answers[sign])
