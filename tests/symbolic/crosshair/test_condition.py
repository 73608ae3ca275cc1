"""Conditions: a cheap key, and the core of those that compare one input with a constant."""

from __future__ import annotations

import pytest
import z3

from untrod.symbolic.crosshair.condition import CrosshairCondition

x, y = z3.Ints("x y")


@pytest.mark.parametrize(
    ("expression", "core"),
    [
        (x > 3, ("x", ">", 3)),
        (z3.IntVal(3) < x, ("x", ">", 3)),
        (z3.IntVal(-3) >= x, ("x", "<=", -3)),
        (x == 3, ("x", "==", 3)),
        (z3.Distinct(x, 3), ("x", "!=", 3)),
        (z3.Not(x < 3), ("x", ">=", 3)),
        (z3.Not(z3.Not(x < 3)), ("x", "<", 3)),
        (x > y, None),
        (x + 1 > 3, None),
        (z3.Bool("flag"), None),
        (z3.And(x > 3, y > 3), None),
    ],
    ids=str,
)
def test_the_core_has_the_input_on_the_left(expression, core):
    assert CrosshairCondition(expression).core() == core


def test_equal_expressions_have_equal_keys_and_different_ones_do_not():
    assert CrosshairCondition(x > 3).key == CrosshairCondition(z3.Int("x") > 3).key
    assert CrosshairCondition(x > 3).key != CrosshairCondition(y > 3).key


def test_the_same_condition_is_the_same_expression():
    assert CrosshairCondition(x > 3).same(CrosshairCondition(z3.Int("x") > 3))
    assert not CrosshairCondition(x > 3).same(CrosshairCondition(x > 4))


def test_a_person_can_read_it():
    assert CrosshairCondition(x > 3).smt2() == "(> x 3)"
