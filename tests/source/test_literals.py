"""A literal rebuilds the value exactly, or there is none."""

from __future__ import annotations

import enum
import math
from collections import OrderedDict, defaultdict
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

import pytest
import random_values
from hypothesis import given, settings
from hypothesis import strategies as st
from random_values import Colour, Node, Point

from untrod.source.literals import express, holds_nan, literal

NAMES = {"Decimal": Decimal, "Fraction": Fraction, "Colour": Colour, "Node": Node, "Point": Point}


def rebuilt(value: Any) -> Any:
    source = literal(value)
    assert source is not None
    return eval(source, dict(NAMES))


@pytest.mark.parametrize(
    ("value", "source"),
    [
        (None, "None"),
        (-0.0, "-0.0"),
        (1e16, "1e16"),
        (float("inf"), 'float("inf")'),
        ([float("nan")], '[float("nan")]'),
        ((1,), "(1,)"),
        (set(), "set()"),
        ({3, 1, 2}, "{1, 2, 3}"),
        (frozenset({"b", "a"}), 'frozenset({"a", "b"})'),
        ({"b", 1, None}, '{"b", 1, None}'),
        (complex(-0.0, 2), "complex(-0.0, 2.0)"),
        (Decimal("1.10"), 'Decimal("1.10")'),
        (Fraction(-1, 3), "Fraction(-1, 3)"),
        ('say "hi"', "'say \"hi\"'"),
        ("it's", '"it\'s"'),
        ("\ud800\x1b[0m\u202e", r'"\ud800\x1b[0m\u202e"'),
        (b"\x00'\xff", 'b"\\x00\'\\xff"'),
        (Colour.RED, "Colour.RED"),
        (Node(1, Point(2, [])), "Node(key=1, left=Point(x=2, y=[]))"),
        ({"k": {1: []}}, '{"k": {1: []}}'),
    ],
)
def test_spelling(value: Any, source: str) -> None:
    assert literal(value) == source
    assert repr(rebuilt(value)) == repr(value) or rebuilt(value) == value


def test_integers_beyond_the_digit_limit_are_exact() -> None:
    for value in (10**5000, -(10**5000), 2**200 - 1, 10**59, 10**60, 10**61):
        assert rebuilt(value) == value


def test_not_a_number_is_kept_where_it_is() -> None:
    kept = rebuilt({"a": (1.0, float("nan"))})
    assert math.isnan(kept["a"][1])
    assert kept["a"][0] == 1.0
    node = express([Decimal("sNaN")])
    assert node is not None
    assert holds_nan(node)


def simple() -> st.SearchStrategy[Any]:
    return st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False),
        st.text(st.characters(codec=None)),
        st.binary(),
        st.complex_numbers(allow_nan=False),
        st.decimals(allow_nan=False),
        st.fractions(),
        st.sampled_from(Colour),
    )


def nested() -> st.SearchStrategy[Any]:
    return st.recursive(
        simple(),
        lambda inner: st.one_of(
            st.lists(inner),
            st.tuples(inner, inner),
            st.dictionaries(simple(), inner),
            st.sets(simple()),
            st.frozensets(simple()),
            st.builds(Node, inner, inner),
        ),
        max_leaves=12,
    )


@settings(max_examples=150, deadline=None)
@given(nested())
def test_a_literal_rebuilds_an_equal_value_of_equal_types(value: Any) -> None:
    again = rebuilt(value)
    assert again == value
    assert literal(again) == literal(value)


def test_random_values_of_every_shape_round_trip() -> None:
    random = Random(7)
    for _ in range(200):
        value = random_values.value(random)
        if express(value) is not None:
            assert rebuilt(value) == value


class Numbers(list[int]):
    pass


class Permission(enum.Flag):
    READ = 1
    WRITE = 2


@dataclass
class Doubles:
    x: int

    def __post_init__(self) -> None:
        self.x *= 2


@dataclass(eq=False)
class Identity:
    x: int


@dataclass
class Counted:
    x: int
    seen: int = field(init=False, default=0)


@dataclass
class Rude:
    x: int

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("do not compare me")


def with_extra_attribute() -> Node:
    node = Node(1)
    object.__setattr__(node, "secret", 2)
    return node


def with_late_change() -> Counted:
    counted = Counted(1)
    counted.seen = 5
    return counted


def local_class_instance() -> Any:
    @dataclass
    class Local:
        x: int

    return Local(1)


@pytest.mark.parametrize(
    "value",
    [
        object(),
        len,
        Numbers([1]),
        OrderedDict(a=1),
        defaultdict(int),
        bytearray(b"x"),
        range(3),
        Permission.READ | Permission.WRITE,
        Doubles(1),
        Identity(1),
        Rude(1),
        with_extra_attribute(),
        with_late_change(),
        local_class_instance(),
        [1, {"a": object()}],
        enum.Enum("Odd", ["class"], module=__name__)["class"],
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_cannot_be_rebuilt_has_no_literal(value: Any) -> None:
    assert literal(value) is None


def test_a_field_the_constructor_does_not_take_is_fine_at_its_default() -> None:
    assert literal(Counted(1)) == "Counted(x=1)"


def test_size_and_depth_are_bounded() -> None:
    endless: list[Any] = []
    endless.append(endless)
    deep: Any = "a b"
    for _ in range(30):
        deep = [deep, "some words that need room to be read by anyone at all, and some more"]
    for value in (endless, deep, "a" * 10**6, [0] * 10**6, 1 << 10**6, {"k": "x" * 10**6}):
        assert literal(value) is None


def test_nested_dicts_cost_no_more_than_their_size() -> None:
    nested: Any = "a value"
    for level in range(14):
        nested = {
            f"a key of level {level}, rather long so that it has to break": nested,
            "other": [level] * 20,
        }
    assert literal(nested) is None or rebuilt(nested) == nested
