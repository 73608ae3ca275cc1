"""What a policy has learned, for campaigns to come: small, and of use at larger sizes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from untrod.engines.worst.policies.catalogue import POLICIES, make_policy
from untrod.engines.worst.transfer import adopted_state, transferable

LEARNING = [name for name in POLICIES if name not in ("random", "exhaustive")]


def taught(name: str, part: Any, seed: int = 7) -> Any:
    policy = make_policy(name, seed)
    policy.load(adopted_state(name, policy.state(), json.loads(json.dumps(part))))
    return policy


@pytest.fixture
def experienced(sorting: Any, practise: Any) -> Any:
    """A policy that has searched at size 4."""

    def make(name: str) -> Any:
        policy, env = make_policy(name, 1), sorting(4)
        practise(policy, sorting, 4)
        for _ in range(40):
            policy.step(env)
        return policy

    return make


@pytest.mark.parametrize("name", LEARNING)
def test_what_is_transferred_survives_a_journey_through_another_policy(name: str, experienced: Any) -> None:
    part = transferable(name, experienced(name).state())
    assert transferable(name, taught(name, part).state()) == part


@pytest.mark.parametrize("name", ["pyse", "pyse-table", "wise", "spf-wca"])
def test_who_has_adopted_practises_only_what_is_new(name: str, experienced: Any) -> None:
    policy = taught(name, transferable(name, experienced(name).state()))
    assert policy.lessons(4) == ()
    assert [lesson.size for lesson in policy.lessons(6)][:1] in ([4], [5])


@pytest.mark.parametrize("name", ["pyse-table", "wise", "spf-wca"])
def test_the_first_path_at_a_larger_size_is_the_worst_there_is(
    name: str, experienced: Any, contrary: Any, practise: Any
) -> None:
    """Where the costly side is False, which nobody takes who knows nothing."""
    first = make_policy(name, 1)
    practise(first, contrary, 5)
    for _ in range(20):
        first.step(contrary(5))
    policy = taught(name, transferable(name, first.state()))
    policy.grow(6)
    attempt = policy.step(contrary(6))
    assert attempt is not None
    assert attempt.cost == 15


def test_a_climber_begins_with_the_costliest_row_it_knows(experienced: Any, sorting: Any) -> None:
    policy = taught("climb", transferable("climb", experienced("climb").state()))
    policy.grow(4)
    assert policy.step(sorting(4)).cost == 6


@pytest.mark.parametrize("name", ["random", "exhaustive"])
def test_who_learns_nothing_leaves_nothing(name: str, experienced: Any) -> None:
    policy = experienced(name)
    assert transferable(name, policy.state()) is None
    assert adopted_state(name, policy.state(), None) == policy.state()


@pytest.mark.parametrize("name", LEARNING)
@pytest.mark.parametrize("part", [{}, [], {"members": []}, {"q": 3, "sites": 3}, "nonsense"])
def test_what_is_no_such_part_is_refused(name: str, part: Any) -> None:
    with pytest.raises((ValueError, TypeError, LookupError, AttributeError)):
        taught(name, part)
