"""Folding never changes what a term is worth."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from untrod.symbolic.native import terms as t
from untrod.symbolic.native.arithmetic import ARITHMETIC, COMPARISONS, MASKS, signed
from untrod.symbolic.native.conditions import ALL, Conditions, intervals
from untrod.symbolic.native.evaluate import evaluate, values

A, B = t.variable(0), t.variable(1)
SIZES = (8, 16, 32, 64)


@st.composite
def both_ways(draw, size: int = 8, depth: int = 3):
    """A value made by the constructors, and a function that computes it from two bytes."""
    if depth == 0 or draw(st.booleans()):
        leaf = draw(st.sampled_from(("a", "b", "number")))
        if leaf == "number" or size < 8:
            number = draw(st.integers(0, MASKS[size]))
            return number, lambda a, b: number
        term = A if leaf == "a" else B
        widened = t.zero_extend(term, size)
        return widened, (lambda a, b: a) if leaf == "a" else (lambda a, b: b)
    how = draw(st.sampled_from(("binary", "ite", "extract", "sign", "concat")))
    if how == "binary":
        op = draw(st.sampled_from(sorted(ARITHMETIC)))
        left, of_left = draw(both_ways(size, depth - 1))
        right, of_right = draw(both_ways(size, depth - 1))
        return t.binary(op, size, left, right), lambda a, b: ARITHMETIC[op](
            of_left(a, b), of_right(a, b), size
        )
    if how == "ite":
        op = draw(st.sampled_from(sorted(COMPARISONS)))
        left, of_left = draw(both_ways(size, depth - 1))
        right, of_right = draw(both_ways(size, depth - 1))
        made = t.ite(t.compare(op, size, left, right), size, left, right)

        def chosen(a, b):
            x, y = of_left(a, b), of_right(a, b)
            return x if COMPARISONS[op](x, y, size) else y

        return made, chosen
    if how == "concat":
        high, of_high = draw(both_ways(size, depth - 1))
        low, of_low = draw(both_ways(size, depth - 1))
        at = draw(st.integers(0, size))
        made = t.extract(t.concat(high, size, low, size), at, size)
        return made, lambda a, b: (of_high(a, b) << size | of_low(a, b)) >> at & MASKS[size]
    inner, of_inner = draw(both_ways(size, depth - 1))
    if how == "sign":
        low = draw(st.integers(0, size))
        made = t.extract(t.sign_extend(inner, size, 2 * size), low, size)
        return made, lambda a, b: (signed(of_inner(a, b), size) & MASKS[2 * size]) >> low & MASKS[size]
    low = draw(st.integers(0, size - 1))
    made = t.zero_extend(t.extract(inner, low, size - low), size)
    return made, lambda a, b: of_inner(a, b) >> low


@given(st.sampled_from(SIZES).flatmap(both_ways), st.integers(0, 255), st.integers(0, 255))
def test_a_term_is_worth_what_its_operations_compute(made, a, b) -> None:
    value, computed = made
    assert evaluate(value, (a, b)) == computed(a, b)


@given(both_ways(size=16, depth=2))
def test_all_values_at_once(made) -> None:
    value, computed = made
    if value.__class__ is t.Term and value.vars == 1:
        assert values(value) == [computed(a, 0) for a in range(256)]


def test_conditions_on_one_byte_are_sets_whatever_the_code_looks_like() -> None:
    known = Conditions(("arg1[0]", "arg1[1]"))
    equal = known.of(t.compare("eq", 32, t.binary("sub", 32, t.zero_extend(A, 32), 45), 0))
    same = known.of(t.invert(t.compare("eq", 8, t.binary("xor", 8, A, 45), 0)))
    assert equal.ranges() == ("arg1[0]", ((45, 45),))
    assert equal.atom(True) == same.atom(False) == "arg1[0] == 0x2d"
    assert equal.atom(False) == "arg1[0] != 0x2d"
    digit = known.of(t.compare("ult", 8, t.binary("sub", 8, A, 48), 10))
    assert digit.atom(True) == "arg1[0] in 0x30-0x39"
    assert digit.ranges() == ("arg1[0]", ((48, 57),))
    assert known.of(t.compare("ult", 8, A, 32)).ranges() == ("arg1[0]", ((0, 31),))
    assert known.of(t.compare("ule", 8, 32, A)).ranges() == ("arg1[0]", ((32, 255),))
    both = known.of(t.compare("eq", 8, A, B))
    assert both.ranges() is None
    assert both.atom(True) is None
    assert "arg1[1]" in both.smt2()


@given(st.sets(st.integers(0, 255)))
def test_intervals(numbers) -> None:
    mask = sum(1 << number for number in numbers)
    assert {n for low, high in intervals(mask) for n in range(low, high + 1)} == numbers
    assert list(intervals(ALL)) == [(0, 255)]
