"""Dear arms have to earn their time."""

from __future__ import annotations

import json

from untrod.engines.cover.purse import FREE, MOST, Purse


def share_of(purse: Purse, turns: int, dear_gain: int = 0, cheap_gain: int = 0) -> float:
    """Whoever may, has the turn: what share do the dear ones get?"""
    dear = 0
    for _ in range(turns):
        chosen = purse.allows
        dear += chosen
        purse.pay(chosen, 1.0, dear_gain if chosen else cheap_gain)
    return dear / turns


def test_who_finds_nothing_gets_what_is_free() -> None:
    assert abs(share_of(Purse(), 1_000, cheap_gain=1) - FREE) < 0.01


def test_where_the_others_have_long_been_dry_there_is_nothing_to_lose() -> None:
    purse = Purse()
    purse.pay(False, 100.0, 1)
    purse.pay(False, 50.0, 0)
    purse.pay(True, 10.0, 0)
    assert not purse.allows  # for a third of the time they found nothing: that happens
    assert share_of(purse, 10_000) > 0.9 * MOST  # in the end, for nearly all of it


def test_who_finds_more_than_the_others_gets_more_but_not_all() -> None:
    assert abs(share_of(Purse(), 1_000, dear_gain=1) - MOST) < 0.01


def test_who_finds_less_than_the_others_gets_what_is_free() -> None:
    assert abs(share_of(Purse(), 1_000, dear_gain=1, cheap_gain=2) - FREE) < 0.01


def test_what_was_found_long_ago_does_not_count() -> None:
    purse = Purse()
    share_of(purse, 20, dear_gain=1)
    assert abs(share_of(purse, 2_000, cheap_gain=1) - FREE) < 0.02


def test_a_purse_survives_as_json() -> None:
    purse, again = Purse(), Purse()
    share_of(purse, 50, dear_gain=1)
    again.load(json.loads(json.dumps(purse.state())))
    assert again.state() == purse.state()
    assert share_of(again, 50) == share_of(purse, 50)
