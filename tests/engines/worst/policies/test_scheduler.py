from __future__ import annotations

import json

from untrod.engines.worst.policies.scheduler import EffortScheduler


def play(clock: EffortScheduler, able: list[int], steps: int, effort: float = 100.0) -> list[int]:
    """Who had which step."""
    holders = []
    for _ in range(steps):
        if clock.left <= 0:
            clock.end()
            clock.begin(able)
        clock.spend(effort)
        holders.append(clock.holder)
    return holders


def test_without_pay_all_have_the_same() -> None:
    holders = play(EffortScheduler(3, 0.0), [0, 1, 2], 300)
    assert [holders.count(number) for number in range(3)] == [100, 100, 100]


def test_a_turn_is_longer_the_more_was_spent() -> None:
    """Books that are kept at every step of a small function cost as much as the step."""
    clock = EffortScheduler(2, 1_000_000.0)
    clock.charge(1)
    play(clock, [0, 1], 5_000)
    clock.end()
    clock.begin([0, 1])
    assert clock.holder == 0
    assert 9_000 < clock.left <= 10_000, "a fiftieth"


def test_a_turn_ends_when_another_is_further_behind() -> None:
    clock = EffortScheduler(2, 0.0)
    play(clock, [0, 1], 1_000)
    holders = play(clock, [0, 1], 100)
    assert 40 <= holders.count(0) <= 60


def test_it_goes_on_in_the_middle_of_a_turn() -> None:
    clock, twin = EffortScheduler(2, 50_000.0), EffortScheduler(2, 50_000.0)
    clock.charge(1)
    play(clock, [0, 1], 401)
    assert clock.left > 0
    twin.load(json.loads(json.dumps(clock.state())))
    assert play(clock, [0, 1], 500) == play(twin, [0, 1], 500)
    assert clock.state() == twin.state()
