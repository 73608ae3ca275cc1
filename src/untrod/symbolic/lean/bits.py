"""Bitwise operations of a term with a constant, by arithmetic: Z3's ints have no bits, Python's have no end.

A mask of ones is a remainder, and every constant is a sum of runs of ones. What holds for Python's negative
ints (two's complement without end) holds here: `%` rounds towards minus infinity in the same way.
"""

from __future__ import annotations

from untrod.symbolic.lean.folding import ZERO, add, divide, modulo, multiply, negative, subtract
from untrod.symbolic.lean.terms import Term, constant


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
