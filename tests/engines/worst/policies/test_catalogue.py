from __future__ import annotations

import json
from typing import Any

import pytest

from untrod.core.errors import UntrodError
from untrod.engines.worst.policies.catalogue import DEFAULT, POLICIES, make_policy


@pytest.mark.parametrize("name", POLICIES.names)
def test_a_policy_has_the_name_it_is_asked_for_by(name: str) -> None:
    assert make_policy(name, 1).name == name


def test_the_default_is_one_of_them() -> None:
    assert DEFAULT in POLICIES


def test_a_slip_of_the_pen_is_recognised() -> None:
    with pytest.raises(UntrodError, match=r"no policy 'pysee' \(did you mean pyse\?\)"):
        make_policy("pysee", 1)
    with pytest.raises(UntrodError, match="choose from auto, pyse"):
        make_policy("!", 1)


@pytest.mark.parametrize("name", POLICIES.names)
def test_every_policy_goes_on_from_its_state(name: str, sorting: Any, practise: Any) -> None:
    """The conformance check: practise, search, save, load, and go on as if nothing had happened."""
    policy, twin, env = make_policy(name, 1), make_policy(name, 9), sorting(5)
    practise(policy, sorting, 5)
    for _ in range(5):
        policy.step(env)
    twin.load(json.loads(json.dumps(policy.state())))
    for _ in range(5):
        one, two = policy.step(env), twin.step(env)
        assert (one and (one.cost, one.inputs, one.by)) == (two and (two.cost, two.inputs, two.by))
    assert twin.state() == policy.state()
    assert policy.lessons(5) == twin.lessons(5)


@pytest.mark.parametrize("name", POLICIES.names)
@pytest.mark.parametrize("state", [None, [], {}, {"paths": 3}, "nonsense"])
def test_every_policy_refuses_what_is_not_its_state(name: str, state: Any) -> None:
    with pytest.raises((ValueError, TypeError, LookupError, AttributeError)):
        make_policy(name, 1).load(state)
