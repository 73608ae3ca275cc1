"""Building terms, with the simplifications that keep them small and make equal questions look equal.

Only rules that hold for Python's unbounded ints: constants are computed, constant summands are gathered and
moved to one side of a comparison (`x + 1 < 10` is `x < 9`), comparisons that an input's bounds decide are
decided, and `>`, `<=`, `!=` are `<` and `==` of the sides exchanged or negated.
"""

from __future__ import annotations

from collections.abc import Iterable

from untrod.symbolic.lean.terms import (
    ADD,
    AND,
    CONST,
    DIV,
    EQUAL,
    FALSE,
    ITE,
    LESS,
    MOD,
    MUL,
    NOT,
    OR,
    TRUE,
    VAR,
    Term,
    constant,
    intern,
)

ZERO, ONE, MINUS_ONE = constant(0), constant(1), constant(-1)


def add(left: Term, right: Term) -> Term:
    if left.op == CONST:
        left, right = right, left
    if right.op != CONST:
        return intern(ADD, left, right)
    if left.op == CONST:
        return constant(left.value + right.value)
    if left.op == ADD and left.args[1].op == CONST:
        left, right = left.args[0], constant(left.args[1].value + right.value)
    return intern(ADD, left, right) if right.value else left


def negative(term: Term) -> Term:
    return multiply(term, MINUS_ONE)


def subtract(left: Term, right: Term) -> Term:
    return ZERO if left is right else add(left, negative(right))


def multiply(left: Term, right: Term) -> Term:
    if left.op == CONST:
        left, right = right, left
    if right.op != CONST:
        return intern(MUL, left, right)
    if left.op == CONST:
        return constant(left.value * right.value)
    if left.op == MUL and left.args[1].op == CONST:
        left, right = left.args[0], constant(left.args[1].value * right.value)
    if right.value == 0:
        return ZERO
    return left if right.value == 1 else intern(MUL, left, right)


def divide(left: Term, right: Term) -> Term:
    """Python's `//`. The caller has made sure that the divisor is not 0."""
    if left.op == CONST and right.op == CONST:
        return constant(left.value // right.value)
    if left.op == DIV and _positive(left.args[1]) and _positive(right):
        left, right = left.args[0], constant(left.args[1].value * right.value)
    return left if right.op == CONST and right.value == 1 else intern(DIV, left, right)


def modulo(left: Term, right: Term) -> Term:
    """Python's `%`. The caller has made sure that the divisor is not 0."""
    if left.op == CONST and right.op == CONST:
        return constant(left.value % right.value)
    nested = left.op == MOD and _positive(left.args[1]) and _positive(right)
    if nested and left.args[1].value % right.value == 0:  # x % 64 % 8
        left = left.args[0]
    return ZERO if right.op == CONST and right.value in (1, -1) else intern(MOD, left, right)


def choose(condition: Term, then: Term, otherwise: Term) -> Term:
    if condition.op == CONST:
        return then if condition.value else otherwise
    return then if then is otherwise else intern(ITE, condition, then, otherwise)


def as_int(condition: Term) -> Term:
    return choose(condition, ONE, ZERO)


def less(left: Term, right: Term) -> Term:
    left, right = _gather(left, right)
    if left.op == CONST and right.op == CONST:
        return TRUE if left.value < right.value else FALSE
    if left is right:
        return FALSE
    if left.op == VAR and right.op == CONST:
        _, low, high = left.args
        if high is not None and high < right.value:
            return TRUE
        if low is not None and low >= right.value:
            return FALSE
    if left.op == CONST and right.op == VAR:
        _, low, high = right.args
        if low is not None and left.value < low:
            return TRUE
        if high is not None and left.value >= high:
            return FALSE
    return intern(LESS, left, right)


def at_most(left: Term, right: Term) -> Term:
    return negate(less(right, left))


def equal(left: Term, right: Term) -> Term:
    """Of two ints, or of two bools. A constant stands on the right."""
    if left.op == CONST:
        left, right = right, left
    if right.op == CONST and type(right.value) is bool:
        return left if right.value else negate(left)
    left, right = _gather(left, right)
    if left is right:
        return TRUE
    if right.op == CONST:
        if left.op == CONST:
            return TRUE if left.value == right.value else FALSE
        if left.op == VAR:
            _, low, high = left.args
            if (low is not None and right.value < low) or (high is not None and right.value > high):
                return FALSE
    elif left.key > right.key:
        left, right = right, left
    return intern(EQUAL, left, right)


def negate(condition: Term) -> Term:
    if condition.op == CONST:
        return FALSE if condition.value else TRUE
    return condition.args[0] if condition.op == NOT else intern(NOT, condition)


def all_of(conditions: Iterable[Term]) -> Term:
    parts = dict.fromkeys(part for part in conditions if part is not TRUE)
    if FALSE in parts:
        return FALSE
    if len(parts) < 2:
        return next(iter(parts), TRUE)
    return intern(AND, *parts)


def any_of(conditions: Iterable[Term]) -> Term:
    parts = dict.fromkeys(part for part in conditions if part is not FALSE)
    if TRUE in parts:
        return TRUE
    if len(parts) < 2:
        return next(iter(parts), FALSE)
    return intern(OR, *parts)


def between(low: int, term: Term, high: int) -> Term:
    """`low <= term <= high`."""
    return all_of((at_most(constant(low), term), at_most(term, constant(high))))


def _positive(term: Term) -> bool:
    return term.op == CONST and term.value > 0


def _gather(left: Term, right: Term) -> tuple[Term, Term]:
    """Constant summands of a comparison with a constant, moved there."""
    if right.op == CONST and left.op == ADD and left.args[1].op == CONST:
        return left.args[0], constant(right.value - left.args[1].value)
    if left.op == CONST and right.op == ADD and right.args[1].op == CONST:
        return constant(left.value - right.args[1].value), right.args[0]
    return left, right


# -- bitwise operations with a constant ------------------------------------------------------------------
#
# By arithmetic: Z3's ints have no bits, Python's are endless. A mask of ones is a remainder, and every
# constant is a sum of runs of ones. What holds for Python's negative ints (two's complement without end)
# holds here: `%` rounds towards minus infinity in the same way.


def conjunction(term: Term, mask: int) -> Term:
    """`term & mask`"""
    if mask < 0:
        return subtract(term, conjunction(term, ~mask))
    total = ZERO
    start = 0
    while mask >> start:
        while not mask >> start & 1:
            start += 1
        stop = start
        while mask >> stop & 1:
            stop += 1
        run = modulo(divide(term, constant(1 << start)), constant(1 << stop - start))
        total = add(total, multiply(run, constant(1 << start)))
        start = stop
    return total


def disjunction(term: Term, mask: int) -> Term:
    """`term | mask`, from a + b = (a | b) + (a & b)"""
    return subtract(add(term, constant(mask)), conjunction(term, mask))


def exclusive(term: Term, mask: int) -> Term:
    """`term ^ mask`, from a + b = (a ^ b) + 2 * (a & b)"""
    both = conjunction(term, mask)
    return add(add(term, constant(mask)), negative(multiply(both, constant(2))))
