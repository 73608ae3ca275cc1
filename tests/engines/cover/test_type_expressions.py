"""Types are read, not run."""

from __future__ import annotations

import ast
import collections.abc
import typing
from typing import Any

import pytest

from untrod.engines.cover.docstrings import documented_types
from untrod.engines.cover.type_expressions import NotAType, resolve
from untrod.engines.cover.values.guess import Guesses

ran: list[str] = []


def harm() -> type:
    ran.append("harm")
    return int


class Own:
    class Inner: ...


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("int", int),
        ("list[int]", list[int]),
        ("dict[str, list[Own]]", dict[str, list[Own]]),
        ("Own.Inner", Own.Inner),
        ("int | None", int | None),
        ("Optional[str]", typing.Optional[str]),  # noqa: UP045
        ("Literal['a', 1]", typing.Literal["a", 1]),
        ("tuple[int, ...]", tuple[int, ...]),
        ("Callable[[int], str]", typing.Callable[[int], str]),
        ("abc.Iterable[int]", collections.abc.Iterable[int]),
        ("(int, str)", (int, str)),
    ],
)
def test_what_names_a_type_is_that_type(text: str, meaning: Any) -> None:
    assert resolve(text, {"Own": Own, "abc": collections.abc}) == meaning


@pytest.mark.parametrize(
    "text", ["harm()", "list[harm()]", "harm() | None", "nobody", "int[int]", "ran | ran", "[", "1 + 1"]
)
def test_nothing_is_called(text: str) -> None:
    with pytest.raises(NotAType):
        resolve(text, globals())
    assert ran == []


def test_a_docstring_and_a_body_are_not_executed() -> None:
    def function(first, second):  # type: ignore[no-untyped-def]
        """:param list[harm()] first: a
        :param int second: b
        """
        return isinstance(first, harm())

    assert documented_types(function) == {"second": int}
    Guesses(function).kind("first")
    assert ran == []


def test_an_expression_that_was_parsed_already_will_do() -> None:
    assert resolve(ast.parse("list[str]", mode="eval").body, {}) == list[str]
