"""Expensive arms have to earn their time."""

from __future__ import annotations

import json

from untrod.engines.cover.quota import FREE, MOST, SolverQuota


def share_of(quota: SolverQuota, turns: int, expensive_gain: int = 0, cheap_gain: int = 0) -> float:
    """Whoever may, has the turn: what share do the expensive ones get?"""
    expensive = 0
    for _ in range(turns):
        chosen = quota.allows
        expensive += chosen
        quota.spend(chosen, 1.0, expensive_gain if chosen else cheap_gain)
    return expensive / turns


def test_who_finds_nothing_gets_what_is_free() -> None:
    assert abs(share_of(SolverQuota(), 1_000, cheap_gain=1) - FREE) < 0.01


def test_where_the_others_have_long_been_dry_there_is_nothing_to_lose() -> None:
    quota = SolverQuota()
    quota.spend(False, 100.0, 1)
    quota.spend(False, 50.0, 0)
    quota.spend(True, 10.0, 0)
    assert not quota.allows  # for a third of the time they found nothing: that happens
    assert share_of(quota, 10_000) > 0.9 * MOST  # in the end, for nearly all of it


def test_who_finds_more_than_the_others_gets_more_but_not_all() -> None:
    assert abs(share_of(SolverQuota(), 1_000, expensive_gain=1) - MOST) < 0.01


def test_who_finds_less_than_the_others_gets_what_is_free() -> None:
    assert abs(share_of(SolverQuota(), 1_000, expensive_gain=1, cheap_gain=2) - FREE) < 0.01


def test_what_was_found_long_ago_does_not_count() -> None:
    quota = SolverQuota()
    share_of(quota, 20, expensive_gain=1)
    assert abs(share_of(quota, 2_000, cheap_gain=1) - FREE) < 0.02


def test_a_quota_survives_as_json() -> None:
    quota, again = SolverQuota(), SolverQuota()
    share_of(quota, 50, expensive_gain=1)
    again.load(json.loads(json.dumps(quota.state())))
    assert again.state() == quota.state()
    assert share_of(again, 50) == share_of(quota, 50)
