"""Who has the next turn: everyone once, then what paid lately."""

from __future__ import annotations

import pytest

from untrod.hunting.shares import Shares
from untrod.plugins import ENGINES, Task

LOTS = [Task("cover", name, "") for name in "abc"]


def play(shares: Shares, turns: int, pays) -> list[str]:
    """`pays` gives what a lot has shown after its n-th turn."""
    had: dict[str, int] = {}
    order = []
    for _ in range(turns):
        name, share = shares.next()
        had[name] = had.get(name, 0) + 1
        shares.over(name, pays(name, had[name]), 0, share, done=False)
        order.append(name[-1])
    return order


def test_everyone_has_a_first_turn_in_the_order_of_the_plan():
    assert play(Shares(LOTS, 5, 0), 3, lambda name, turn: 1) == ["a", "b", "c"]


@pytest.mark.parametrize("seed", range(5))
def test_then_those_that_keep_paying_have_more(seed):
    order = play(Shares(LOTS, 5, seed), 20, lambda name, turn: 2**turn if name.endswith("b") else 10)
    assert order.count("b") > max(order.count("a"), order.count("c"))


@pytest.mark.parametrize("seed", range(5))
def test_a_finding_pays(seed):
    shares = Shares(LOTS, 5, seed)
    order = []
    for _ in range(20):
        name, share = shares.next()
        shares.over(name, 1, int(name.endswith("c")), share, done=False)
        order.append(name[-1])
    assert order.count("c") > max(order.count("a"), order.count("b"))


@pytest.mark.parametrize("seed", range(5))
def test_of_those_that_ran_dry_the_one_with_more_left_is_the_better_bet(seed):
    shares = Shares(LOTS, 5, seed)
    order = []
    for _ in range(40):
        name, share = shares.next()
        shares.over(name, 60, 0, share, done=False, left={"a": 1, "b": 30, "c": 1}[name[-1]])
        order.append(name[-1])
    assert order.count("b") > 2 * max(order.count("a"), order.count("c"))
    assert min(map(order.count, "abc")) >= 1


def test_turns_grow():
    shares = Shares(LOTS[:1], 5, 0)
    first = shares.next()[1]
    shares.over("cover a", 1, 0, first, done=False)
    assert shares.next()[1] > first == 5


def test_who_is_running_or_done_has_no_turn():
    shares = Shares(LOTS[:2], 5, 0)
    first, second = shares.next()[0], shares.next()[0]
    assert {first, second} == {"cover a", "cover b"}
    assert shares.next() is None
    shares.over(first, 0, 0, 5, done=True)
    assert shares.next() is None
    shares.over(second, 0, 0, 5, done=False)
    assert shares.next()[0] == second


def test_what_an_engine_has_to_show():
    assert ENGINES.find("cover").shown({"extra": {"covered": 7}}) == 7
    assert (
        ENGINES.find("worst").shown({"extra": {"sizes": [{"worst": 3}, {"worst": None}, {"worst": 7}]}}) == 5
    )
    assert ENGINES.find("inputs").shown({"unique": 5, "extra": {}}) == 5
    assert ENGINES.find("cover").shown({}) == 0
    assert ENGINES.find("cover").left({"extra": {"covered": 7, "branches": 9}}) == 2
    assert ENGINES.find("worst").left({"extra": {"sizes": []}}) is ENGINES.find("cover").left({}) is None
