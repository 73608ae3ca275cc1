"""Shapes: leaves, building a value from them, taking it apart again."""

from __future__ import annotations

from typing import Any

import pytest

from untrod.core.errors import UntrodError
from untrod.symbolic.shapes import (
    Arguments,
    Bool,
    Bytes,
    Char,
    Const,
    Dict,
    Int,
    List,
    Text,
    Tuple,
    arguments,
    assemble,
    disassemble,
    graph,
    leaves,
)

EVERYTHING = Arguments(
    (
        Int(0, 9),
        Bool(),
        Char("ab"),
        Text(2),
        Bytes(2),
        List(List(Int(), 1), 2),
        Tuple((Int(), Text(1, "xyz"))),
        Dict(("k", 3), Bool()),
        Const(("fixed", None)),
    )
)
VALUES = [7, True, "b", "h", "i", 0, 255, -1, 2, 3, "z", False, True]
VALUE = (7, True, "b", "hi", b"\x00\xff", [[-1], [2]], (3, "z"), {"k": False, 3: True}, ("fixed", None))


def test_leaves_have_canonical_names_in_order() -> None:
    assert leaves(Arguments((List(Int(), 2), Text(1)))) == {"x0": Int(), "x1": Int(), "x2": Char()}
    assert len(leaves(EVERYTHING)) == len(VALUES)
    assert leaves(Const(5)) == {}


def test_a_value_is_built_from_its_leaves_and_taken_apart_again() -> None:
    assert assemble(EVERYTHING, VALUES) == VALUE
    assert disassemble(EVERYTHING, VALUE) == VALUES


def test_every_assembly_is_a_fresh_value() -> None:
    shape = List(List(Int(), 1), 1)
    first, second = assemble(shape, [1]), assemble(shape, [1])
    first[0][0] = 99
    assert second == [[1]]


def test_an_engine_joins_its_own_characters() -> None:
    assert assemble(Text(3), [1, 2, 3], text=tuple) == (1, 2, 3)


@pytest.mark.parametrize("values", [VALUES[:-1], [*VALUES, 1], []])
def test_the_number_of_values_must_fit(values: list[Any]) -> None:
    with pytest.raises(ValueError, match="values than the shape has leaves"):
        assemble(EVERYTHING, values)


@pytest.mark.parametrize(
    ("shape", "value"),
    [
        (Int(0, 9), 10),
        (Int(0, 9), -1),
        (Int(), True),
        (Bool(), 1),
        (Char("ab"), "c"),
        (Char(), "é"),
        (Char(), "ab"),
        (Text(2), "abc"),
        (Text(1, "a"), "b"),
        (Bytes(1), b""),
        (List(Int(), 2), [1]),
        (List(Int(), 1), (1,)),
        (Tuple((Int(),)), (1, 2)),
        (Dict(("a",), Int()), {"b": 1}),
        (Const(1), 2),
    ],
)
def test_a_value_of_another_shape_is_refused(shape: Any, value: Any) -> None:
    with pytest.raises(ValueError, match="does not have the shape"):
        disassemble(shape, value)


def test_a_factory_may_return_one_shape_or_several() -> None:
    assert arguments(Int()) == Arguments((Int(),))
    assert arguments((Int(), Text(3))) == Arguments((Int(), Text(3)))
    assert arguments(Arguments(())) == Arguments(())
    with pytest.raises(UntrodError, match="returned int"):
        arguments((Int(), 5))


def test_a_graph_is_a_square_matrix_of_bounded_weights() -> None:
    assert graph(3) == List(List(Int(0, 1000), 3), 3)
