"""Sets of integers as ranges, against sets."""

from __future__ import annotations

from itertools import pairwise
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from untrod.symbolic.ranges import (
    Ranges,
    above,
    below,
    compared,
    complement,
    described,
    intersection,
    only,
    shifted,
    union,
)

WORLD = range(-20, 21)
_PIECES = st.one_of(
    st.integers(-15, 15).map(only), st.integers(-15, 15).map(below), st.integers(-15, 15).map(above)
)
SETS = st.lists(_PIECES, max_size=5).map(lambda parts: union(*parts))


def members(ranges: Ranges) -> set[int]:
    return {number for number in WORLD if any(first <= number <= last for first, last in ranges)}


@given(SETS, SETS)
def test_they_are_joined_and_turned_round_like_sets(left: Ranges, right: Ranges) -> None:
    assert members(union(left, right)) == members(left) | members(right)
    assert members(intersection(left, right)) == members(left) & members(right)
    assert members(complement(left)) == set(WORLD) - members(left)
    assert complement(complement(left)) == left


@given(SETS, SETS)
def test_the_same_set_has_one_form_and_one_name(left: Ranges, right: Ranges) -> None:
    same = members(left) == members(right)
    assert (left == right) == same
    assert (described(left) == described(right)) == same
    for (_, last), (first, _) in pairwise(left):
        assert last + 1 < first


@given(st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), st.integers(-15, 15))
def test_a_comparison_is_what_python_says(operator: str, value: int) -> None:
    assert members(compared(operator, value)) == {n for n in WORLD if eval(f"{n} {operator} {value}")}


def test_shifting_moves_all_ends() -> None:
    assert shifted(((-inf, 2), (5, 6)), -3) == ((-inf, -1), (2, 3))
    assert shifted(below(0), 10**400) == ((-inf, 10**400 - 1),)


@pytest.mark.parametrize(
    ("ranges", "words"),
    [
        (only(45), "== 45"),
        (complement(only(45)), "!= 45"),
        (below(7), "<= 6"),
        (above(7), ">= 8"),
        (((48, 57), (95, 95)), "in 48..57,95"),
        (complement(((48, 57),)), "not in 48..57"),
        ((), "in "),
    ],
)
def test_it_is_told_in_few_words(ranges: Ranges, words: str) -> None:
    assert described(ranges) == words
