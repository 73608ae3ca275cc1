from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from untrod.engines.cover.values.guess import Guesses
from untrod.engines.cover.values.hints import ANYTHING
from untrod.engines.cover.values.kinds import DrawContext
from untrod.engines.cover.values.words import Words
from untrod.source.evaluate import evaluate


def used(text, number, rows, table, blob, either, unused, maybe):
    if text.startswith("x") and number - 1 > 0:
        for row in rows:
            rows.append(row)
    if isinstance(either, bytes | set):
        return table.items(), blob.decode()
    return maybe is None or maybe > 3


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("text", {str}),
        ("number", {int}),
        ("rows", {list}),
        ("table", {dict}),
        ("blob", {bytes}),
        ("maybe", {int, type(None)}),
    ],
)
def test_what_is_done_with_a_parameter_tells_its_type(name: str, kinds: set[type]) -> None:
    guesses = Guesses(used)
    context = DrawContext(Random(3), Words())
    found = Counter(type(evaluate(guesses.kind(name).draw(context))) for _ in range(300))
    assert {kind for kind, _ in found.most_common(len(kinds))} == kinds
    assert len(found) > len(kinds), "a guess may be wrong: now and then it is something else"


def test_where_nothing_is_done_with_it_anything_may_come() -> None:
    assert Guesses(used).kind("unused") is ANYTHING
    assert Guesses(len).kind("obj") is ANYTHING


def test_classes_that_are_asked_for_are_tried() -> None:
    def asks(either: Any) -> bool:
        return isinstance(either, (bytes, set))

    context = DrawContext(Random(3), Words())
    kind = Guesses(asks).kind("either")
    assert {bytes, set} <= {type(evaluate(kind.draw(context))) for _ in range(100)}
