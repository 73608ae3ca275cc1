from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from untrod.source.evaluate import evaluate
from untrod.source.literals import express
from untrod.source.nodes import Atom, Call, Ref


@pytest.mark.parametrize(
    "value",
    [
        0,
        -5,
        10**80,
        True,
        None,
        2.5,
        float("inf"),
        1 - 2j,
        "text",
        b"bytes",
        [1, [2]],
        (1,),
        (),
        {1, 2},
        set(),
        frozenset({3}),
        {"a": [1]},
        Decimal("1.50"),
        Fraction(1, 3),
    ],
)
def test_what_was_expressed_evaluates_to_the_same(value: Any) -> None:
    node = express(value)
    assert node is not None
    found = evaluate(node)
    assert found == value
    assert type(found) is type(value)


def test_containers_are_fresh_each_time() -> None:
    node = express([[]])
    assert node is not None
    first = evaluate(node)
    first[0].append(1)
    assert evaluate(node) == [[]]


@pytest.mark.parametrize("node", [Atom("1 +"), Atom("name"), Call(Atom("print")), Call(Atom("no_such"))])
def test_what_is_no_literal_is_refused(node: Any) -> None:
    with pytest.raises(ValueError, match="not a"):
        evaluate(node)


def test_names_are_imported() -> None:
    assert evaluate(Call(Ref("collections", "Counter"), (), (("a", Atom("2")),)))["a"] == 2
