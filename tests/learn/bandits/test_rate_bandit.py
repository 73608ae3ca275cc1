from __future__ import annotations

import json
from collections import Counter

from untrod.learn.bandits.rate_bandit import RateBandit


def plays(bandit: RateBandit, rates: dict[str, float], costs: dict[str, float], turns: int) -> Counter[str]:
    """Each arm gains its rate times its cost, in whole pieces."""
    owed = dict.fromkeys(rates, 0.0)
    chosen: Counter[str] = Counter()
    for _ in range(turns):
        arm = bandit.choose()
        owed[arm] += rates[arm] * costs[arm]
        gain = int(owed[arm])
        owed[arm] -= gain
        bandit.reward(arm, gain, costs[arm])
        chosen[arm] += 1
    return chosen


def test_the_better_rate_gets_the_turns() -> None:
    bandit = RateBandit(["good", "bad"], 0)
    chosen = plays(bandit, {"good": 2.0, "bad": 0.1}, {"good": 1.0, "bad": 1.0}, 300)
    assert chosen["good"] > 240
    assert bandit.rate("good") > bandit.rate("bad")


def test_what_counts_is_gain_per_cost() -> None:
    rates, costs = {"cheap": 1.0, "dear": 0.2}, {"cheap": 1.0, "dear": 20.0}
    chosen = plays(RateBandit(["cheap", "dear"], 1), rates, costs, 300)
    assert chosen["cheap"] > 4 * chosen["dear"]


def test_an_arm_that_has_dried_up_loses_its_trust() -> None:
    bandit = RateBandit(["first", "second"], 2)
    plays(bandit, {"first": 3.0, "second": 0.5}, {"first": 1.0, "second": 1.0}, 100)
    chosen = plays(bandit, {"first": 0.0, "second": 0.5}, {"first": 1.0, "second": 1.0}, 400)
    assert chosen["second"] > chosen["first"]


def test_only_arms_that_can_be_had_are_chosen() -> None:
    bandit = RateBandit(["a", "b", "c"], 3)
    assert {bandit.choose(["b", "c"]) for _ in range(50)} == {"b", "c"}


def test_its_state_goes_on_bit_for_bit() -> None:
    bandit = RateBandit(["a", "b"], 4)
    plays(bandit, {"a": 1.0, "b": 1.0}, {"a": 1.0, "b": 2.0}, 20)
    again = RateBandit(["b", "a"], 99)
    again.load(json.loads(json.dumps(bandit.state())))
    assert [again.rate(arm) for arm in "ab"] == [bandit.rate(arm) for arm in "ab"]
    assert [again.choose(["a", "b"]) for _ in range(20)] == [bandit.choose(["a", "b"]) for _ in range(20)]
