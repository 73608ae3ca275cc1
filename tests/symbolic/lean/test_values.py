"""For which values of its one input a condition holds: against the term's own meaning."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from untrod.symbolic.lean.terms import (
    ADD,
    AND,
    EQUAL,
    LESS,
    NOT,
    OR,
    PYTHON,
    Term,
    constant,
    flag,
    intern,
    variable,
)
from untrod.symbolic.lean.values import values_of
from untrod.symbolic.ranges import DEEPEST

X, Y = variable(0, None, None), variable(1, None, None)
NUMBERS = st.integers(-9, 9)
_LINEAR = st.one_of(st.just(X), NUMBERS.map(lambda number: intern(ADD, X, constant(number))))
_COMPARED = st.builds(
    lambda op, left, right, turned: intern(op, *((right, left) if turned else (left, right))),
    st.sampled_from([LESS, EQUAL]),
    _LINEAR,
    NUMBERS.map(constant),
    st.booleans(),
)
CONDITIONS = st.recursive(
    _COMPARED,
    lambda inner: st.one_of(
        inner.map(lambda part: intern(NOT, part)),
        st.builds(
            lambda op, parts: intern(op, *parts),
            st.sampled_from([AND, OR]),
            st.lists(inner, min_size=2, max_size=3),
        ),
    ),
    max_leaves=6,
)


def holds(term: Term, x: int):
    if term is X:
        return x
    if not term.op:
        return term.value
    return PYTHON[term.op](*(holds(arg, x) for arg in term.args))


@given(CONDITIONS)
def test_the_values_are_those_for_which_it_holds(term: Term) -> None:
    found = values_of(term)
    assert found is not None
    name, ranges = found
    assert name == "x0"
    for x in range(-30, 31):
        assert any(first <= x <= last for first, last in ranges) == bool(holds(term, x))


@pytest.mark.parametrize(
    "term",
    [
        intern(LESS, X, Y),
        intern(EQUAL, intern(ADD, X, Y), constant(3)),
        intern(AND, intern(LESS, X, constant(3)), intern(LESS, Y, constant(3))),
        intern(EQUAL, intern(ADD, X, X), constant(4)),
    ],
)
def test_where_more_than_one_input_or_more_than_a_comparison_decides_there_are_none(term: Term) -> None:
    assert values_of(term) is None


def test_a_flag_is_one_or_it_is_not() -> None:
    assert values_of(flag(3)) == ("x3", ((1, 1),))
    assert intern(NOT, flag(3)).ranges() == ("x3", ((float("-inf"), 0), (2, float("inf"))))


def test_what_is_very_deep_is_given_up() -> None:
    term = intern(LESS, X, constant(0))
    for number in range(DEEPEST + 1):
        term = intern(OR, intern(EQUAL, X, constant(number)), term)
    assert values_of(term) is None
