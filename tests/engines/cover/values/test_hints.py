"""From a type to values of that type."""

from __future__ import annotations

import collections.abc as abc
import datetime
import enum
import io
import typing
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Annotated, Any, Literal, NamedTuple, NewType, Optional
from uuid import UUID

import pytest

from untrod.engines.cover.values.hints import ANYTHING, kind_of, pool_of
from untrod.engines.cover.values.kinds import DrawContext
from untrod.engines.cover.values.words import Words
from untrod.source.codec import decode, encode
from untrod.source.evaluate import evaluate

Name = NewType("Name", str)
Number = typing.TypeVar("Number", int, float)


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


@dataclass
class Leaf:
    size: int
    colour: Colour = Colour.RED


@dataclass
class Tree:
    left: Optional[Tree]  # noqa: UP045 - as many people write it
    leaf: Leaf


class Pair(NamedTuple):
    first: int
    second: str


class Base(abc.Sized):
    pass


class Concrete(Base):
    def __init__(self, size: int) -> None:
        self.size = size

    def __len__(self) -> int:
        return abs(self.size) % 5


class _Private:
    pass


class Public(_Private):
    pass


def draws(hint: Any, count: int = 60) -> list[Any]:
    context = DrawContext(Random(7), Words(ints=[42], texts=["egg"]))
    kind = kind_of(hint)
    nodes = [kind.draw(context) for _ in range(count)]
    nodes += [kind.mutate(node, context) for node in nodes]
    return [evaluate(decode(encode(node))) for node in nodes]


@pytest.mark.parametrize(
    ("hint", "kinds"),
    [
        (int, (int,)),
        (float, (float,)),
        (bool, (bool,)),
        (str, (str,)),
        (bytes, (bytes,)),
        (bytearray, (bytearray,)),
        (complex, (complex,)),
        (None | int, (int, type(None))),
        (Optional[str], (str, type(None))),  # noqa: UP045
        (Annotated[int, "positive"], (int,)),
        (Name, (str,)),
        (Number, (int, float)),
        (Colour, (Colour,)),
        (Leaf, (Leaf,)),
        (Pair, (Pair,)),
        (Base, (Concrete,)),
        (_Private, (Public,)),
        (Decimal, (Decimal,)),
        (datetime.date, (datetime.date,)),
        (datetime.datetime, (datetime.datetime,)),
        (datetime.time, (datetime.time,)),
        (datetime.timedelta, (datetime.timedelta,)),
        (datetime.tzinfo, (datetime.timezone,)),
        (typing.TextIO, (io.StringIO,)),
        (list, (list,)),
        (dict, (dict,)),
        (range, (range,)),
        (UUID, (UUID,)),
    ],
)
def test_what_is_drawn_and_what_it_mutates_to_has_the_type(hint: Any, kinds: tuple[type, ...]) -> None:
    found = {type(value) for value in draws(hint)}
    assert found == set(kinds)


def test_some_moments_have_a_zone_and_some_days_are_the_last_of_their_month() -> None:
    moments = draws(datetime.datetime, 200)
    assert {moment.tzinfo is None for moment in moments} == {True, False}
    assert {(2, 29), (12, 31)} <= {(day.month, day.day) for day in draws(datetime.date, 200)}


def test_containers_hold_what_they_say() -> None:
    assert all(isinstance(item, int) for value in draws(list[int]) for item in value)
    assert {type(value) for value in draws(tuple[int, str])} == {tuple}
    assert all(type(a) is int and type(b) is str for a, b in draws(tuple[int, str]))
    assert all(isinstance(item, bool) for value in draws(tuple[bool, ...]) for item in value)
    assert all(isinstance(v, list) for value in draws(dict[str, list[int]]) for v in value.values())
    assert {type(value) for value in draws(frozenset[int])} == {frozenset}
    assert {type(value) for value in draws(abc.Sequence[str])} == {list, str}
    assert set(draws(Literal["a", 3])) == {"a", 3}


def test_where_nothing_is_said_about_the_items_some_lists_are_long_and_most_of_one_type() -> None:
    lists = draws(list, 300)
    assert max(map(len, lists)) >= 1_000
    assert sum(len({type(item) for item in one}) == 1 for one in lists) > 100


def test_slices_have_all_their_parts() -> None:
    slices = draws(slice, 100)
    assert {type(part) for one in slices for part in (one.start, one.stop, one.step)} == {int, type(None)}


def test_functions_take_as_many_arguments_as_they_are_given() -> None:
    for function in draws(abc.Callable[[int, int], bool]):
        function(1, 2)


def test_sizes_differ() -> None:
    assert {0, 1, 2, 3} < {len(value) for value in draws(list[int], 200)}


def test_a_class_that_contains_itself_comes_to_an_end() -> None:
    def depth(tree: Tree | None) -> int:
        return 0 if tree is None else 1 + depth(tree.left)

    depths = {depth(tree) for tree in draws(Tree)}
    assert len(depths) > 1
    assert max(depths) < 10


def test_what_only_hypothesis_knows_is_left_to_it() -> None:
    assert len(pool_of(typing.SupportsIndex)) > 10
    assert pool_of(type("Unknown", (), {"__init__": lambda self, what: None})) == []


def test_functions_can_be_called() -> None:
    assert all(callable(value) for value in draws(abc.Callable[[int], str]))


def test_without_a_type_anything_comes() -> None:
    context = DrawContext(Random(1), Words())
    kinds = {type(evaluate(ANYTHING.draw(context))) for _ in range(200)}
    assert kinds > {int, str, type(None), list, dict}


def test_the_words_of_the_program_are_used() -> None:
    assert 42 in draws(int)
    assert any("egg" in value for value in draws(str))


def test_the_same_seed_draws_the_same() -> None:
    assert draws(dict[str, list[int | None]]) == draws(dict[str, list[int | None]])
