"""Values of a wrong type: only where the code looks at types."""

from __future__ import annotations

import typing
from random import Random
from typing import Any

import pytest

from untrod.engines.cover.values.hints import kind_of
from untrod.engines.cover.values.kinds import DrawContext
from untrod.engines.cover.values.strays import is_stray, with_strays
from untrod.engines.cover.values.words import Words
from untrod.source.evaluate import evaluate
from untrod.source.nodes import Atom, Call, Display, Text


def looks(count: int, plain: int, maybe: float) -> str:
    if not isinstance(count, int):
        raise TypeError(count)
    return str(plain) if maybe is None else ""


def drawn(name: str, hint: Any) -> set[type]:
    kind = with_strays(kind_of(hint), hint, name, looks)
    context = DrawContext(Random(0), Words())
    nodes = [kind.draw(context) for _ in range(1_000)]
    nodes += [kind.mutate(node, context) for node in nodes]
    return {type(evaluate(node)) for node in nodes}


def test_a_parameter_whose_type_is_looked_at_has_values_of_others() -> None:
    assert drawn("count", int) == {int, bool, float, str, bytes, list, object, type(None)}
    assert drawn("plain", int) == {int}
    assert drawn("maybe", float) == {float, type(None)}


@pytest.mark.parametrize(
    ("node", "hint", "stray"),
    [
        (Atom("1"), int, False),
        (Atom("True"), int, True),
        (Atom("True"), bool, False),
        (Atom("1"), float, False),
        (Text("x"), int, True),
        (Text("x"), int | str, False),
        (Text("x"), typing.Literal["x"], False),
        (Text("y"), typing.Literal["x"], True),
        (Atom("None"), typing.Optional[int], False),  # noqa: UP045
        (Display("[", ()), list[int], False),
        (Display("(", ()), list[int], True),
        (Call(Atom("object")), typing.TypeVar("T"), False),
    ],
)
def test_what_is_a_stray(node: Any, hint: Any, stray: bool) -> None:
    assert is_stray(node, hint) == stray
