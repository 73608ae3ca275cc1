"""Does a value have the type that somebody wrote down?"""

from __future__ import annotations

import collections.abc
import math
from typing import Any, AnyStr, Literal, NewType, Protocol, SupportsInt, TypedDict, TypeVar

import pytest

from untrod.engines.cover.rightness.fitting import fits, one_constraint

UserId = NewType("UserId", int)
Number = TypeVar("Number", int, float)
Bound = TypeVar("Bound", bound=str)


class Sized(Protocol):
    def size(self) -> int: ...


class Box:
    def size(self) -> int:
        return 1


class Movie(TypedDict):
    year: int


@pytest.mark.parametrize(
    ("value", "hint", "fit"),
    [
        (1, int, True),
        (True, int, False),
        (True, bool | int, True),
        (1, float, True),
        ("x", int | None, False),
        (None, int | None, True),
        ("rw", Literal["r", "w"], False),
        ("r", Literal["r", "w"], True),
        (5, UserId, True),
        ("5", UserId, False),
        (1.5, Number, True),
        ("x", Number, False),
        (5, Bound, False),
        ([1, 2], list[int], True),
        ([1, "x"], list[int], False),
        (["x"], list[int], False),
        ({"a": 1}, dict[str, int], True),
        ({1: 1}, dict[str, int], False),
        ((1, "a"), tuple[int, str], True),
        ((1,), tuple[int, str], False),
        ((1, 2, 3), tuple[int, ...], True),
        (len, collections.abc.Callable[[Any], int], True),
        (math.gcd, collections.abc.Callable[..., int], True),
        (lambda: 1, collections.abc.Callable[[int], int], False),
        (int, type[int], True),
        (str, type[int], False),
        (Box(), Sized, True),
        (3, Sized, False),
        (2.5, SupportsInt, True),
        ({"year": 1}, Movie, True),
        ({}, Movie, False),
        (object(), Any, True),
        (object(), "Forward", True),
    ],
)
def test_a_value_fits_its_type_or_does_not(value, hint, fit: bool) -> None:
    assert fits(value, hint) is fit


def test_a_constrained_variable_stands_for_one_type() -> None:
    assert one_constraint([("a", AnyStr), ("b", AnyStr)])
    assert not one_constraint([("a", AnyStr), (b"b", AnyStr)])


class Hostile:
    @property
    def __class__(self):
        raise RuntimeError("nobody asks me")


def test_what_raises_when_it_is_looked_at_fits() -> None:
    assert fits(Hostile(), int)
