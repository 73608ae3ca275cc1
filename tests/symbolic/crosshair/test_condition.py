"""Conditions: a cheap key, and the values of those that compare one input with constants."""

from __future__ import annotations

import pytest
import z3

from untrod.symbolic.crosshair.condition import CrosshairCondition
from untrod.symbolic.ranges import above, below, complement, only

x, y = z3.Ints("x y")


@pytest.mark.parametrize(
    ("expression", "values"),
    [
        (x > 3, above(3)),
        (z3.IntVal(3) < x, above(3)),
        (z3.IntVal(-3) >= x, below(-2)),
        (x == 3, only(3)),
        (z3.Distinct(x, 3), complement(only(3))),
        (z3.Not(x < 3), above(2)),
        (z3.Not(z3.Not(x < 3)), below(3)),
        (z3.And(x >= 48, x <= 57), ((48, 57),)),
        (z3.Or(x == 95, z3.And(x >= 48, z3.Not(x > 57))), ((48, 57), (95, 95))),
    ],
    ids=str,
)
def test_the_values_of_one_input_for_which_it_holds(expression, values):
    assert CrosshairCondition(expression).ranges() == ("x", values)


@pytest.mark.parametrize("expression", [x > y, x + 1 > 3, z3.And(x > 3, y > 3), z3.Or(x > 3, x > y)], ids=str)
def test_there_are_none_where_more_than_one_input_decides(expression):
    assert CrosshairCondition(expression).ranges() is None


def test_a_flag_is_one_or_it_is_not():
    assert CrosshairCondition(z3.Bool("flag")).ranges() == ("flag", only(1))


def test_equal_expressions_have_equal_keys_and_different_ones_do_not():
    assert CrosshairCondition(x > 3).key == CrosshairCondition(z3.Int("x") > 3).key
    assert CrosshairCondition(x > 3).key != CrosshairCondition(y > 3).key


def test_the_same_condition_is_the_same_expression():
    assert CrosshairCondition(x > 3).same(CrosshairCondition(z3.Int("x") > 3))
    assert not CrosshairCondition(x > 3).same(CrosshairCondition(x > 4))


def test_a_person_can_read_it():
    assert CrosshairCondition(x > 3).smt2() == "(> x 3)"
