"""What every way to prune promises. One that is added to PRUNINGS is tried here without being named."""

from __future__ import annotations

import json

import pytest

from untrod.core.errors import UntrodError
from untrod.learn.catalogue import PRUNINGS, make_pruning
from untrod.learn.pruning import Pruning, RoundTest, Settings

SETTINGS = Settings(lengths=(10.0, 20.0, 30.0), warm_up=4)
STATES = {number: (f"f{number % 7}", f"g{number % 3}") for number in range(40)}


def step(pruning: Pruning, number: int) -> object:
    """Half a round: it begins in even steps and ends in odd ones."""
    if number % 2 == 0:
        plan = pruning.begin_round()
        return plan, pruning.prune(STATES)
    dropped = pruning.prune(STATES)
    tests = [RoundTest({f"n{number}"}, ("f1", "g1"), pruning.serving)]
    tests += [RoundTest({f"s{state}", f"s{state % 5}"}, STATES[state], pruning.serving) for state in dropped]
    pruning.end_round(tests)
    return dropped


@pytest.fixture(params=PRUNINGS.names)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_it_drops_live_states_and_none_twice(name: str) -> None:
    pruning = make_pruning(name, 1, SETTINGS)
    for _ in range(12):
        pruning.begin_round()
        dropped = pruning.prune(STATES)
        assert set(dropped) <= set(STATES)
        assert len(dropped) == len(set(dropped)) < len(STATES)
        assert pruning.prune({}) == []
        pruning.end_round([RoundTest(["a"], ["f1"], pruning.serving)])


def test_the_first_round_drops_nothing(name: str) -> None:
    pruning = make_pruning(name, 1, SETTINGS)
    assert pruning.begin_round().number == 0
    assert pruning.prune(STATES) == []


def test_the_same_seed_decides_the_same(name: str) -> None:
    one, two = make_pruning(name, 5, SETTINGS), make_pruning(name, 5, SETTINGS)
    assert [step(one, number) for number in range(30)] == [step(two, number) for number in range(30)]
    assert json.dumps(one.state()) == json.dumps(two.state())


@pytest.mark.parametrize("steps", [0, 1, 2, 13, 20])
def test_it_goes_on_bit_for_bit_after_json_also_within_a_round(name: str, steps: int) -> None:
    one, two = make_pruning(name, 5, SETTINGS), make_pruning(name, 6, SETTINGS)
    for number in range(steps):
        step(one, number)
    two.load(json.loads(json.dumps(one.state())))
    rest = range(steps, steps + 20)
    assert [step(one, number) for number in rest] == [step(two, number) for number in rest]
    assert json.dumps(one.state()) == json.dumps(two.state())


def test_who_drops_and_for_how_long() -> None:
    lengths, drops = {}, {}
    for name in PRUNINGS:
        pruning = make_pruning(name, 3, SETTINGS)
        steps = [step(pruning, number) for number in range(60)]
        lengths[name] = {plan.length for plan, _ in steps[::2]}  # type: ignore[misc, attr-defined]
        drops[name] = {len(dropped) for dropped in steps[3::2]}  # type: ignore[arg-type]
    some = {10.0, 20.0, 30.0}
    assert lengths == {"homi": some, "random": some, "restarts": some, "none": {None}}
    assert drops == {"homi": {8, 16, 24}, "random": {8, 16, 24}, "restarts": {0}, "none": {0}}


def test_what_does_not_exist_is_named() -> None:
    with pytest.raises(UntrodError, match="no pruning 'hommi'"):
        make_pruning("hommi", 1)


@pytest.mark.parametrize(
    "wrong", [{"ratios": ()}, {"ratios": (1.0,)}, {"lengths": (0.0,)}, {"features": 0}, {"warm_up": -1}]
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(UntrodError):
        Settings(**wrong)  # type: ignore[arg-type]
