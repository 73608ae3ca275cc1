"""Which cases a suite is made of: first those that return; nonsense only for a branch of its own."""

from __future__ import annotations

from untrod.engines.cover.case import Arc, CallResult, Case, Input, Step
from untrod.engines.cover.emit import NONSENSE, as_test, asserts
from untrod.engines.cover.suite import choose, worth_keeping
from untrod.output.cases import IsTrue, Raises
from untrod.source.literals import express
from untrod.source.nodes import Text


def case(argument, outcome: CallResult, *lines: int) -> Case:
    arcs = frozenset(Arc("shop", line, line + 1) for line in lines)
    return Case(Input("shop:price", (Step("price", (express(argument),)),)), outcome, arcs)


RETURNS = CallResult(None, Text("fine"), "'fine'", names=("amount",))
REFUSES = CallResult(("builtins", "ValueError"), text="no")
NONSENSICAL = CallResult(("builtins", "TypeError"), text="no", is_nonsense=True)


def test_what_returns_is_chosen_before_what_takes_more_and_raises() -> None:
    returns, raises = case(1, RETURNS, 1, 2), case(0, REFUSES, 1, 2, 3)
    nonsense = case(None, NONSENSICAL, 1, 2, 3)
    assert choose([nonsense, raises, returns]) == [returns, raises]


def test_nonsense_is_kept_for_a_branch_that_nothing_else_takes_and_not_for_an_entrance() -> None:
    returns, nonsense = case(1, RETURNS, 1), case(None, NONSENSICAL, 1, 5)
    entrance = case((), NONSENSICAL, -7)
    assert worth_keeping([returns, nonsense, entrance], asserts) == [returns, nonsense]
    assert worth_keeping([returns, case(None, NONSENSICAL, 1)], asserts) == [returns]


def test_nonsense_stands_in_a_section_of_its_own() -> None:
    assert as_test(case(None, NONSENSICAL, 5)).section == NONSENSE
    refuses = as_test(case(0, REFUSES, 5))
    assert refuses.section == ""
    assert isinstance(refuses.expectation, Raises)


def test_names_say_the_function_the_input_and_what_comes_out() -> None:
    assert as_test(case([], REFUSES)).name_hint == "price of empty list raises value error"
    assert as_test(case("", RETURNS)).name_hint == "price of empty text returns fine"
    nothing = Case(Input("shop:price", (Step("price"),)), REFUSES)
    assert as_test(nothing).name_hint == "price of nothing raises value error"
    long = as_test(case("a text that goes on and on and on and never ends, as it seems", REFUSES))
    assert long.name_hint.endswith("raises value error")


def test_the_least_that_a_test_says_is_the_class() -> None:
    made = CallResult(None, None, "<shop.Cart object at 0x7f>", kind=("shop", "Cart"))
    assert as_test(case(1, made)).expectation == IsTrue()
    assert asserts(case(1, made))
    weaker = as_test(case(1, RETURNS)).weaker
    assert weaker is not None
    assert weaker.form == ()
