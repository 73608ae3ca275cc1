"""Arguments as a flat vector of leaves, as a trace, and back."""

from __future__ import annotations

from random import Random

import pytest

from untrod.engines.worst.encoding import InputEncoding
from untrod.engines.worst.protocol import Field
from untrod.symbolic.shapes import Arguments, Bool, Bytes, Const, Dict, Int, List, Text, Tuple

SHAPES = {
    "a list of ints": (List(Int(), 3),),
    "two texts": (Text(4), Text(2, "ab")),
    "a matrix": (List(List(Int(0, 9), 2), 2),),
    "all kinds": (Int(1), Bool(), Bytes(2), Dict(("k", "l"), Int()), Tuple((Int(None, 5), Const(7)))),
    "an empty list": (List(Int(), 0), Int()),
}


@pytest.mark.parametrize("shapes", SHAPES.values(), ids=SHAPES)
def test_random_arguments_survive_the_encoding_and_the_trace(shapes):
    encoding = InputEncoding(Arguments(shapes))
    for seed in range(20):
        inputs = encoding.random(Random(seed))
        assert encoding.build(encoding.flatten(inputs)) == inputs
        numbers = encoding.numbers(inputs)
        assert {type(number) for number in numbers} <= {int}
        assert encoding.from_numbers(numbers) == inputs
        assert sum(field.length for field in encoding.fields()) == len(numbers)


@pytest.mark.parametrize("shapes", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("numbers", [[], [10**30], [-1] * 50, ["x", None, 2.5]])
def test_any_trace_gives_arguments_of_the_shape(shapes, numbers):
    encoding = InputEncoding(Arguments(shapes))
    encoding.flatten(encoding.from_numbers(numbers))  # raises if it has not the shape


def test_arguments_are_built_afresh_each_time():
    encoding = InputEncoding(Arguments((List(Int(), 2),)))
    first, second = encoding.build([1, 2]), encoding.build([1, 2])
    assert first == second
    assert first[0] is not second[0]


def test_fields_are_what_belongs_together():
    encoding = InputEncoding(Arguments((List(Int(), 3), Text(2), Text(4, "xyz"), List(List(Bool(), 2), 2))))
    expected = (Field(int, 3), Field(str, 2, 32, 126), Field(int, 4, 0, 2), Field(bool, 2, 0, 1))
    assert encoding.fields() == (*expected, Field(bool, 2, 0, 1))


def test_a_character_of_an_alphabet_is_a_leaf_by_its_place():
    encoding = InputEncoding(Arguments((Text(3, "xyz"),)))
    assert encoding.flatten(("zxx",)) == [2, 0, 0]
    assert encoding.build([1, 1, 0]) == ("yyx",)


def test_other_arguments_are_refused():
    with pytest.raises(ValueError, match="shape"):
        InputEncoding(Arguments((List(Int(), 3),))).flatten(([1, 2],))


def test_tidying_keeps_the_order_and_leaves_bounded_numbers_alone():
    encoding = InputEncoding(Arguments((List(Int(), 4), Int(10, 90))))
    assert encoding.tidy(([900, -5, 37, 37], 50)) == ([2, 0, 1, 1], 50)
