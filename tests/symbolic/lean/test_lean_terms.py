"""Terms: interned, folded, and meaning the same to Python and to Z3."""

from __future__ import annotations

import itertools

import pytest
import z3

from untrod.symbolic.lean import folding, terms
from untrod.symbolic.lean.candidate import Candidate
from untrod.symbolic.lean.folding import conjunction, disjunction, exclusive
from untrod.symbolic.lean.strings import before, codes_of, same
from untrod.symbolic.lean.terms import FALSE, TRUE, Term, constant, variable
from untrod.symbolic.lean.translate import Translator

X, Y = variable(0, None, None), variable(1, None, None)


def under(term: Term, x: int, y: int = 0) -> object:
    return Candidate([x, y].__getitem__).evaluate(term)


@pytest.mark.parametrize("op", [terms.ADD, terms.MUL, terms.DIV, terms.MOD, terms.LESS, terms.EQUAL])
def test_an_operator_means_the_same_to_python_and_to_z3(op: int) -> None:
    translator = Translator()
    for left, right in itertools.product(range(-6, 7), repeat=2):
        if right == 0 and op in (terms.DIV, terms.MOD):
            continue
        term = terms.intern(op, constant(left), constant(right))
        assert str(z3.simplify(translator.expression(term))) == str(terms.PYTHON[op](left, right))
        swapped = terms.intern(op, X, Y)  # and where the divisor is not known to be positive
        values = [(translator.expression(X), z3.IntVal(left, translator.context))]
        values.append((translator.expression(Y), z3.IntVal(right, translator.context)))
        found = z3.simplify(z3.substitute(translator.expression(swapped), *values))
        assert str(found) == str(under(swapped, left, right))


@pytest.mark.parametrize("mask", [0, 1, 5, 6, 0b110100, 255, -1, -2, -7, -256])
def test_bits_by_arithmetic(mask: int) -> None:
    for value in range(-70, 70):
        assert under(conjunction(X, mask), value) == value & mask
        assert under(disjunction(X, mask), value) == value | mask
        assert under(exclusive(X, mask), value) == value ^ mask


def test_equal_terms_are_one_object() -> None:
    assert folding.less(X, constant(3)) is folding.less(X, constant(3))
    assert folding.less(folding.add(X, constant(2)), constant(5)) is folding.less(X, constant(3))
    assert folding.equal(X, Y) is folding.equal(Y, X)
    assert constant(1) is not constant(True)


def test_the_key_is_the_structure() -> None:
    before = folding.less(folding.add(X, Y), constant(-1)).key
    other = folding.less(folding.add(X, Y), constant(-2)).key
    terms.forget()
    x, y = variable(0, None, None), variable(1, None, None)
    assert folding.less(folding.add(x, y), constant(-1)).key == before != other


@pytest.mark.parametrize(
    ("term", "folded"),
    [
        (folding.subtract(X, X), constant(0)),
        (folding.multiply(X, constant(0)), constant(0)),
        (folding.add(folding.add(X, constant(3)), constant(-3)), X),
        (folding.negate(folding.negate(folding.less(X, Y))), folding.less(X, Y)),
        (folding.less(X, X), FALSE),
        (folding.less(variable(2, 0, 9), constant(10)), TRUE),
        (folding.less(variable(2, 0, 9), constant(0)), FALSE),
        (folding.less(constant(9), variable(2, 0, 9)), FALSE),
        (folding.less(constant(-1), variable(2, 0, 9)), TRUE),
        (folding.equal(variable(2, 0, 9), constant(10)), FALSE),
        (folding.all_of([TRUE, FALSE, folding.less(X, Y)]), FALSE),
        (folding.any_of([FALSE, folding.less(X, Y)]), folding.less(X, Y)),
    ],
)
def test_the_obvious_is_simplified(term: Term, folded: Term) -> None:
    assert term is folded


def test_a_deep_term_needs_no_deep_stack() -> None:
    total = X
    for _ in range(5000):
        total = folding.add(total, folding.multiply(total, Y))
    assert under(total, 1, 0) == 1
    assert Translator().expression(total) is not None


def test_strings_are_ordered_as_python_orders_them() -> None:
    words = ["".join(word) for size in range(4) for word in itertools.product("ab", repeat=size)]
    for left, right in itertools.product(words, repeat=2):
        first, second = codes_of(left), codes_of(right)
        assert first is not None
        assert second is not None
        assert before(first, second).value == (left < right)
        assert same(first, second).value == (left == right)


@pytest.mark.parametrize("first", [-6, -2, 3, 64])
@pytest.mark.parametrize("second", [-3, 2, 8])
def test_a_quotient_of_a_quotient_and_a_remainder_of_a_remainder(first: int, second: int) -> None:
    """Folded where that is right: `perturb //= 32` in a loop, `slot % 64 % 8`."""
    quotient = folding.divide(folding.divide(X, constant(first)), constant(second))
    rest = folding.modulo(folding.modulo(X, constant(first)), constant(second))
    for x in range(-200, 200, 7):
        assert under(quotient, x) == x // first // second
        assert under(rest, x) == x % first % second
    assert (quotient is folding.divide(X, constant(first * second))) == (first > 0 and second > 0)
    assert (rest is folding.modulo(X, constant(second))) == (first == 64 and second in (2, 8))
