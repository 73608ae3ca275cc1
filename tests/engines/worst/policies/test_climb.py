from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from untrod.engines.worst.policies.climb import Climb
from untrod.engines.worst.protocol import Field


def climbed(policy: Climb, env: Any, steps: int) -> list[int]:
    costs = []
    for _ in range(steps):
        attempt = policy.step(env)
        assert attempt is not None
        assert attempt.by == "climb"
        costs.append(attempt.cost)
    return costs


def test_it_begins_with_patterns(sorting: Any) -> None:
    assert max(climbed(Climb(1), sorting(7), 10)) == 21, "a falling vector"


def test_it_climbs_where_no_pattern_helps(sorting: Any) -> None:
    env = sorting(7)
    policy = Climb(1)
    climbed(policy, env, 1)
    policy._starts = []  # from here on, only mutations
    policy._cost = -1
    assert max(climbed(policy, env, 400)) == 21


def test_it_needs_no_solver(sorting: Any) -> None:
    env = sorting(5)
    env.executor = None
    climbed(Climb(1), env, 20)
    assert env.walks == 0


def test_it_goes_on_from_the_best_of_others(sorting: Any) -> None:
    env, policy = sorting(7), Climb(1)
    env.best = replace(env.run(([6, 5, 4, 3, 2, 0, 1],)), by="pyse")
    climbed(policy, env, 1)
    assert policy._best[0] >= 20


def test_values_stay_within_their_bounds(sorting: Any) -> None:
    env, policy = sorting(5), Climb(3)
    for _ in range(300):
        attempt = policy.step(env)
        assert attempt is not None
        assert attempt.inputs is not None
        assert all(0 <= value <= 4 for value in attempt.inputs[0])


def test_what_was_costly_is_a_start_at_the_next_size(alternating: Any) -> None:
    policy = Climb(1)
    climbed(policy, alternating(4), 200)
    carried = policy._carried[0]
    policy.grow(8)
    env = alternating(8)
    policy.step(env)
    assert policy._starts is not None
    assert len(carried) == 4
    assert [carried[place % 4] for place in range(8)] not in policy._starts, "that one has just been run"
    assert [carried[place // 2] for place in range(8)] in policy._starts


def test_a_shape_without_leaves_leaves_nothing_to_do(sorting: Any) -> None:
    env = sorting(3)
    env.encoding.field = Field(int, 0)
    assert Climb(1).step(env) is None


def test_it_goes_on_bit_for_bit_after_a_restart(sorting: Any) -> None:
    policy, twin, env = Climb(1), Climb(2), sorting(6)
    climbed(policy, env, 50)
    twin.load(json.loads(json.dumps(policy.state())))
    assert climbed(policy, env, 50) == climbed(twin, env, 50)
    assert policy.state() == twin.state()
