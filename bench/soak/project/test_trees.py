"""Ordinary Hypothesis tests, and some whose code is not."""

from __future__ import annotations

import harm
from hypothesis import given
from hypothesis import strategies as st


@given(st.lists(st.integers(0, 50)))
def test_sorting_keeps_the_length(numbers: list[int]) -> None:
    assert len(sorted(numbers)) == len(numbers)


@given(st.recursive(st.integers(0, 3), lambda inner: st.lists(inner, max_size=4)))
def test_nested_lists_print_and_parse(tree: object) -> None:
    assert eval(repr(tree)) == tree


@given(st.integers(0, 1000))
def test_codes(code: int) -> None:
    assert harm.exits(code) == code


@given(st.integers(0, 1000))
def test_numbers(number: int) -> None:
    assert harm.crashes(number) == number


@given(st.text(max_size=20))
def test_names(name: str) -> None:
    assert harm.litters(name) == len(name)
