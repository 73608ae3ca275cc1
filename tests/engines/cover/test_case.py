from __future__ import annotations

import json

import pytest

from untrod.engines.cover.case import Arc, CallResult, Case, Input, Step
from untrod.source.nodes import Atom, Display, Text

TOTAL = Input("shop.cart:total", (Step("total", (Display("[", (Atom("1"),)),), (("tax", Atom("0.2")),)),))
CART = Input("shop.cart:Cart", (Step("Cart"), Step("add", (Text("egg"),)), Step("price", kind="get")))


def test_an_input_reads_as_a_call() -> None:
    assert str(TOTAL) == "total([1], tax=0.2)"
    assert str(CART) == 'Cart(); .add("egg"); .price'


@pytest.mark.parametrize("given", [TOTAL, CART])
def test_an_input_survives_as_a_trace_and_as_octets(given: Input) -> None:
    assert Input.from_trace(given.trace().answers) == given
    assert Input.from_trace(given.octets()) == given


@pytest.mark.parametrize("answers", [[], [1, 2], ["[]"], ["{}"], ['["m:f", []]'], ['["m:f", [1]]'], [300, 2]])
def test_anything_else_is_no_input(answers: list[int | str]) -> None:
    with pytest.raises(ValueError, match=r"."):
        Input.from_trace(answers)


def test_a_case_survives_as_json() -> None:
    outcome = CallResult(("builtins", "ValueError"), text="too much", place="cart.py:3", suspect=True)
    for case in (
        Case(TOTAL, outcome, frozenset({Arc("shop.cart", 3, -1), Arc("shop.cart", 3, 4)}), "random"),
        Case(CART, CallResult(value=Display("(", ()), text="()", driven="generator")),
    ):
        assert Case.from_json(json.loads(json.dumps(case.to_json()))) == case
