"""From a signature and a size to a shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Optional

import pytest

from untrod.core.errors import UntrodError
from untrod.symbolic.annotations import shape_of
from untrod.symbolic.shapes import Arguments, Bool, Bytes, Const, Dict, Int, List, Text, Tuple, graph


def scalars(number: int, flag: bool, nothing: None) -> None: ...
def texts(text: str, pattern: str, raw: bytes) -> None: ...
def lists(numbers: list[int], words: Sequence[str], matrix: list[list[int]]) -> None: ...
def tuples(pair: tuple[int, str], row: tuple[bool, ...]) -> None: ...
def dicts(named: dict[str, int], numbered: Mapping[int, str]) -> None: ...
def wrapped(maybe: Optional[int], noted: Annotated[str, ["unhashable"]], either: int | None) -> None: ...  # noqa: UP045
def defaults(numbers: list[int], reverse: bool = False, *rest: int, **more: int) -> None: ...


@pytest.mark.parametrize(
    ("function", "shapes"),
    [
        (scalars, (Int(), Bool(), Const(None))),
        (texts, (Text(2), Text(2), Bytes(2))),
        (lists, (List(Int(), 2), List(Text(2), 2), List(List(Int(), 2), 2))),
        (tuples, (Tuple((Int(), Text(2))), Tuple((Bool(), Bool())))),
        (dicts, (Dict(("k0", "k1"), Int()), Dict((0, 1), Text(2)))),
        (wrapped, (Int(), Text(2), Int())),
        (defaults, (List(Int(), 2),)),
    ],
)
def test_annotations_become_shapes(function: Callable[..., Any], shapes: tuple[Any, ...]) -> None:
    assert shape_of(function, 2) == Arguments(shapes)


def test_a_size_of_zero_is_a_size() -> None:
    assert shape_of(texts, 0) == Arguments((Text(0), Text(0), Bytes(0)))
    with pytest.raises(UntrodError, match="size of -1"):
        shape_of(texts, -1)


def test_a_bound_method_has_no_self() -> None:
    class Index:
        def find(self, key: int) -> None: ...

    assert shape_of(Index().find, 1) == Arguments((Int(),))


def bare(numbers) -> None: ...  # type: ignore[no-untyped-def]
def loose(numbers: list) -> None: ...  # type: ignore[type-arg]
def rich(numbers: list[float]) -> None: ...
def many(number: int | str) -> None: ...
def nothing() -> None: ...
def unknown(number: Missing) -> None: ...  # type: ignore[name-defined]  # noqa: F821


@pytest.mark.parametrize("function", [bare, loose, rich, many, nothing, unknown])
def test_what_is_not_known_is_said_with_the_way_out(function: Callable[..., Any]) -> None:
    with pytest.raises(UntrodError) as caught:
        shape_of(function, 3)
    assert function.__name__ in caught.value.message
    assert "--shape FACTORY" in caught.value.hint


def test_a_required_keyword_is_refused() -> None:
    def keyword(*, number: int) -> None: ...

    with pytest.raises(UntrodError, match="needs the keyword number"):
        shape_of(keyword, 3)


def test_a_factory_has_the_last_word() -> None:
    assert shape_of(bare, 3, graph) == Arguments((graph(3),))
    assert shape_of(texts, 3, lambda n: (Text(n), Const("ab"))) == Arguments((Text(3), Const("ab")))


def test_a_failing_factory_is_named() -> None:
    def factory(size: int) -> Any:
        return 1 // (size - 3)

    with pytest.raises(UntrodError, match="factory\\(3\\) failed: ZeroDivisionError"):
        shape_of(bare, 3, factory)
