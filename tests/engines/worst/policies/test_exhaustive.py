from __future__ import annotations

from typing import Any

from untrod.engines.worst.policies.paths import Exhaustive


def costs(policy: Any, env: Any) -> list[int]:
    found = []
    while (attempt := policy.step(env)) is not None:
        if attempt.counts:
            found.append(attempt.cost)
    return found


def test_it_runs_each_path_once_and_then_stops(sorting: Any) -> None:
    policy = Exhaustive(1)
    policy.grow(4)
    found = costs(policy, sorting(4))
    assert len(found) == 24, "one path for each order of four values"
    assert max(found) == 6
    assert policy.complete
    assert policy.step(sorting(4)) is None


def test_it_finds_the_worst_there_is(alternating: Any) -> None:
    policy = Exhaustive(1)
    policy.grow(5)
    assert max(costs(policy, alternating(5))) == alternating(5).worst()


def test_a_larger_size_is_searched_from_the_beginning(sorting: Any) -> None:
    policy = Exhaustive(1)
    policy.grow(3)
    costs(policy, sorting(3))
    policy.grow(4)
    assert not policy.complete
    assert len(costs(policy, sorting(4))) == 24


def test_without_an_executor_there_is_nothing_to_do(sorting: Any) -> None:
    env = sorting(3)
    env.executor = None
    assert Exhaustive(1).step(env) is None
