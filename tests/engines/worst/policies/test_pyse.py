from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from untrod.core.errors import MissingExtra
from untrod.engines.worst.policies.pyse import PySE, Settings

APPROXIMATORS = ("table", "network")


@pytest.fixture(params=APPROXIMATORS)
def policy(request: pytest.FixtureRequest) -> PySE:
    return PySE(1, Settings(request.param))


def test_what_was_learned_at_small_sizes_holds_at_the_first_path_of_a_larger_one(
    policy: PySE, contrary: Any, practise: Any
) -> None:
    practise(policy, contrary, 7)
    attempt = policy.step(contrary(7))
    assert attempt is not None
    assert attempt.cost == 21


def test_it_learns_a_side_that_depends_on_the_branches_before(
    policy: PySE, alternating: Any, practise: Any
) -> None:
    practise(policy, alternating, 8)
    env = alternating(8)
    costs = [attempt.cost for _ in range(5) if (attempt := policy.step(env)) is not None]
    assert max(costs) == env.worst()


def test_it_learns_at_the_size_itself(policy: PySE, contrary: Any) -> None:
    env = contrary(6)
    policy.grow(6)
    costs = [attempt.cost for _ in range(60) if (attempt := policy.step(env)) is not None]
    assert max(costs) == 15


def test_all_paths_are_found_and_none_twice(policy: PySE, sorting: Any) -> None:
    env, found = sorting(4), list[tuple[bool, ...]]()
    while (attempt := policy.step(env)) is not None:
        if attempt.counts:
            found.append(tuple(branch.taken for branch in attempt.branches))
    assert len(found) == len(set(found)) == 24


def test_it_learns_from_paths_that_others_found(contrary: Any) -> None:
    teacher, pupil = PySE(1, Settings("table")), PySE(2, Settings("table"))
    env = contrary(4)
    while (attempt := teacher.step(env)) is not None:
        pupil.offer(attempt)
    assert pupil.step(env) is None, "all paths were offered"
    pupil.grow(6)
    first = pupil.step(contrary(6))
    assert first is not None
    assert first.cost == 15


@pytest.mark.parametrize("approximator", APPROXIMATORS)
def test_it_goes_on_bit_for_bit_after_a_restart(approximator: str, sorting: Any) -> None:
    policy, twin = PySE(1, Settings(approximator)), PySE(2, Settings(approximator))
    for _ in range(40):
        policy.step(sorting(6))
    twin.load(json.loads(json.dumps(policy.state())))
    for _ in range(10):
        one, two = policy.step(sorting(6)), twin.step(sorting(6))
        assert one is not None
        assert two is not None
        assert (one.inputs, one.cost) == (two.inputs, two.cost)
    assert twin.state() == policy.state()


def test_without_torch_a_table_takes_the_networks_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    assert PySE(1).approximator == "table"
    with pytest.raises(MissingExtra):
        PySE(1, Settings("network"))


def test_what_a_network_learned_is_refused_by_a_table() -> None:
    with pytest.raises(ValueError, match="network"):
        PySE(1, Settings("table")).load(PySE(1, Settings("network")).state())
