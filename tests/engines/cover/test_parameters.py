"""What parameters there are, and of which types."""

from __future__ import annotations

import typing
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any

from untrod.engines.cover.parameters import parameters_of
from untrod.engines.cover.values.hints import slots_of
from untrod.engines.cover.values.kinds import DrawContext
from untrod.engines.cover.values.objects import draw_arguments, mutate_arguments
from untrod.engines.cover.values.words import Words
from untrod.source.evaluate import evaluate

if TYPE_CHECKING:
    pass


class Parts(typing.TypedDict, total=False):
    year: int
    name: str


def read(function: Callable[..., Any]) -> dict[str, Any]:
    return {parameter.name: parameter.hint for parameter in parameters_of(function)}


def test_keywords_are_those_that_a_typed_dict_or_the_docstring_names() -> None:
    def typed(**parts: typing.Unpack[Parts]) -> None: ...

    def told(**parts):  # type: ignore[no-untyped-def]
        """:param int day: which one"""

    assert read(typed) == {"year": int, "name": str}
    assert read(told) == {"day": int}
    assert all(p.keyword and not p.required for p in (*parameters_of(typed), *parameters_of(told)))


def test_other_keywords_have_names_of_the_source() -> None:
    def replace(first: int, **parts: int) -> None: ...

    slots = slots_of(parameters_of(replace), lambda parameter: pytest_fails())
    context = DrawContext(Random(1), Words(texts=["major", "first", "class", "1.2", "minor"]))
    drawn = [draw_arguments(slots, context) for _ in range(50)]
    drawn += [mutate_arguments(slots, given, context) for given in drawn]
    assert {name for _, keywords in drawn for name, _ in keywords} == {"major", "minor"}
    assert all(len(places) == 1 for places, _ in drawn)


def pytest_fails() -> Any:
    raise AssertionError("its type is known")


def test_a_default_tells_the_types_of_its_parts() -> None:
    def function(pair=(True, 1), many=[1, 2], mixed=[1, "a"], how=len, none=()):  # type: ignore[no-untyped-def]  # noqa: B006
        ...

    assert read(function) == {
        "pair": tuple[bool, int],
        "many": list[int],
        "mixed": list,
        "how": Callable,
        "none": tuple,
    }


def test_what_is_imported_for_type_checkers_alone_is_known_by_its_name() -> None:
    def function(first: int | None, second: Nobody | None, third: str) -> None: ...  # type: ignore[name-defined]  # noqa: F821

    assert read(function) == {"first": int | None, "second": None, "third": str}


def test_two_arguments_of_one_kind_are_alike_now_and_then() -> None:
    def compare(left: list[int], right: list[int]) -> None: ...

    slots = slots_of(parameters_of(compare), lambda parameter: pytest_fails())
    context = DrawContext(Random(1), Words())
    pairs = [tuple(map(evaluate, draw_arguments(slots, context)[0])) for _ in range(400)]
    assert sum(left == right and len(left) > 2 for left, right in pairs) > 5
    assert sum(left != right for left, right in pairs) > 200
