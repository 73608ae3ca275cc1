"""Rounds of learned pruning."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from untrod.learn.homi import Homi
from untrod.learn.pruning import RoundTest, Settings

SETTINGS = Settings(lengths=(10.0, 20.0))
STATES = {number: {f"f{number % 7}", f"g{number % 3}"} for number in range(40)}


def play(homi: Homi, rounds: int, prunes: int = 3) -> list[object]:
    """All that it decides. Each round covers a branch of its own, and some that others cover too."""
    said: list[object] = []
    for _ in range(rounds):
        plan = homi.begin_round()
        tests = []
        for _ in range(prunes):
            dropped = homi.prune(STATES)
            said.append(dropped)
            first = (dropped or [0])[0]
            tests.append(RoundTest({f"{plan.number}", f"s{first}"}, sorted(STATES[first]), homi.serving))
        homi.end_round(tests)
        said.append(plan)
    return said


def test_the_first_round_drops_nothing() -> None:
    homi = Homi(1, SETTINGS)
    homi.begin_round()
    assert homi.prune(STATES) == []
    assert homi.serving is None


def test_nothing_is_dropped_before_good_tests_have_features() -> None:
    homi = Homi(1, SETTINGS)
    for _ in range(3):
        homi.begin_round()
        assert homi.prune(STATES) == []
        homi.end_round([RoundTest(["a"], [])])
    assert homi.covered == 1


def test_then_each_prune_drops_a_share_by_a_vector_of_its_own() -> None:
    homi = Homi(1, SETTINGS)
    play(homi, 1)
    homi.begin_round()
    served = []
    for _ in range(20):
        assert len(homi.prune(STATES)) in {8, 16, 24}
        served.append(homi.serving)
    assert len(set(served)) == 20


def test_the_vectors_of_a_round_come_round_again() -> None:
    homi = Homi(1, Settings(vectors=3))
    play(homi, 1)
    homi.begin_round()
    served = []
    for _ in range(7):
        homi.prune(STATES)
        served.append(homi.serving)
    first, second, third = served[:3]
    assert served == [first, second, third, first, second, third, first]
    homi.begin_round()
    assert homi.serving is None


def test_it_learns_to_keep_what_led_to_good_tests() -> None:
    """Whenever a state with `door` survives a prune, something new is found behind it."""
    homi = Homi(3, Settings(lengths=(10.0,), warm_up=30))
    states = {number: {"door"} if number < 30 else {"wall"} for number in range(60)}
    for number in range(30):
        homi.begin_round()
        tests = [RoundTest(["wall"], ["wall"]), RoundTest(["door"], ["door"])]
        dropped = set(homi.prune(states))
        if homi.serving is not None and sum(state < 30 for state in dropped) < 5:
            tests.append(RoundTest([f"behind {number}"], ["door"], homi.serving))
        homi.end_round(tests)
    learned = homi.distributions.learned
    assert learned["door"].mean > 0.2 > -0.2 > learned["wall"].mean


def test_only_exploring_during_the_warm_up_then_equal_odds() -> None:
    homi = Homi(2, SETTINGS)
    methods = []
    for _ in range(610):
        methods.append(homi.begin_round().method)
        homi.end_round([])
    assert set(methods[:10]) == {"explore"}
    counts = Counter(methods[10:])
    assert set(counts) == {"exploit", "reverse", "explore"}
    assert min(counts.values()) > 150


def test_the_warm_up_is_over_after_its_last_round() -> None:
    methods: list[set[str]] = [set() for _ in range(4)]
    for seed in range(40):
        homi = Homi(seed, Settings(warm_up=3))
        for seen in methods:
            seen.add(homi.begin_round().method)
    assert methods == [{"explore"}] * 3 + [{"exploit", "reverse", "explore"}]


def test_memory_is_bounded() -> None:
    homi = Homi(4, Settings(memory=5))
    for number in range(40):
        homi.begin_round()
        homi.prune(STATES)
        homi.end_round([RoundTest([f"b{place}" for place in range(number)], ["f1"], homi.serving)])
    assert len(homi.state()["archive"]["tests"]) == 5
    assert len(homi.state()["vectors"]) <= 5


def test_a_test_must_name_a_vector_of_its_round() -> None:
    homi = Homi(1, SETTINGS)
    play(homi, 2)
    homi.begin_round()
    with pytest.raises(ValueError, match="did not serve"):
        homi.end_round([RoundTest(["a"], [], 0)])


def test_outside_of_a_round_there_is_nothing_to_prune_or_end() -> None:
    homi = Homi(1, SETTINGS)
    with pytest.raises(RuntimeError):
        homi.prune(STATES)
    with pytest.raises(RuntimeError):
        homi.end_round([])


def test_a_state_with_vectors_missing_is_refused_and_changes_nothing() -> None:
    homi = Homi(1, SETTINGS)
    play(homi, 5)
    before = homi.state()
    for broken in ({**before, "vectors": []}, {**before, "features": []}):
        with pytest.raises(ValueError, match="weight vector"):
            homi.load(broken)
    assert json.dumps(homi.state()) == json.dumps(before)
