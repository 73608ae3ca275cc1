"""Shape and path as characteristics."""

from __future__ import annotations

import sys

from untrod.engines.inputs.traces import Traced, by_function, by_shape


def classify(number: int) -> str:
    for _ in range(number):
        if number > 100:
            raise ValueError
    return "even" if number % 2 == 0 else "odd"


def test_shapes_ignore_the_leaves() -> None:
    assert by_shape([1, (2, "ab")], []) == by_shape([7, (9, "xy")], [])
    assert by_shape([1, (2, "ab")], []) != by_shape([1, 2, "ab"], [])
    assert by_shape({"a": 1}, []) != by_shape({"b": 1}, [])


def test_traces_count_in_powers_of_two() -> None:
    traced = Traced(classify, [__file__])
    assert traced(4, []) == traced(6, [])
    assert traced(4, []) != traced(8, [])
    assert traced(0, []) != traced(1, [])


def test_an_exception_is_part_of_the_trace() -> None:
    traced = Traced(classify, [__file__])
    assert traced(101, []) != traced(100, [])
    assert str(traced(101, [])).startswith("('ValueError'")


def test_only_the_modules_asked_for_are_watched() -> None:
    assert Traced(classify, ["elsewhere.py"])(3, []) == Traced(classify, ["elsewhere.py"])(9, [])


def test_a_tracer_that_was_set_is_put_back() -> None:
    before = sys.gettrace()
    Traced(classify, [__file__])(3, [])
    assert sys.gettrace() is before


def test_a_users_own_characteristic() -> None:
    assert by_function(len)("abc", []) == 3
