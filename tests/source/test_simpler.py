"""Simpler variants of values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from untrod.source.layout import flat
from untrod.source.literals import express
from untrod.source.nodes import Atom, Call, Ref
from untrod.source.simpler import simpler, weight

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30) | st.binary(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


def smallest(value, keep):
    """What a greedy search comes to that moves on to the first variant with `keep`."""
    node = express(value)
    while True:
        for candidate in simpler(node):
            if keep(eval(flat(candidate), {"nan": float("nan"), "inf": float("inf")})):
                node = candidate
                break
        else:
            return flat(node)


@given(VALUES)
def test_every_variant_weighs_less_and_none_comes_twice(value):
    node = express(value)
    found = list(simpler(node))
    assert all(weight(candidate) < weight(node) for candidate in found)
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    ("value", "keep", "source"),
    [
        (123456, lambda x: True, "0"),
        (123456, lambda x: x > 99, "100"),
        (-77, lambda x: x < -3, "-4"),
        (3.14159, lambda x: x > 2, "3.0"),
        (True, lambda x: True, "False"),
        ("hello, world", lambda x: len(x) >= 3, '"aaa"'),
        ("x=1;y=2", lambda x: "=" in x and ";" in x, '";="'),
        (b"\xff\x00zz", lambda x: b"z" in x, 'b"z"'),
        ([5, 3, 9, 1], lambda x: len(x) > 1 and x[0] > x[-1], "[1, 0]"),
        ({"a": [1, 2], "b": [3]}, lambda x: any(x.values()), '{"": [0]}'),
        ((1, (2, "q")), lambda x: len(x) == 2 and isinstance(x[1], tuple), "(0, ())"),
    ],
)
def test_a_greedy_search_ends_at_something_small(value, keep, source):
    assert smallest(value, keep) == source


def test_a_call_loses_keywords_and_keeps_its_arguments():
    call = Call(Ref("shop", "Cart"), (Atom("12"),), (("owner", Atom("3")),))
    variants = [flat(candidate) for candidate in simpler(call)]
    assert variants[0] == "Cart(12)"
    assert "Cart(0, owner=3)" in variants
    assert "Cart(12, owner=0)" in variants
    assert all(variant.startswith("Cart(") and variant != "Cart()" for variant in variants)
