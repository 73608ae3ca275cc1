"""Scores, and who is dropped."""

from __future__ import annotations

from random import Random

import pytest

from untrod.learn.homi import GRAIN, WeightVector, share

VECTOR = WeightVector(("a", "b", "c"), (0.5, -0.25, 0.125), 0.4)


def test_the_score_is_the_sum_of_the_weights_of_the_features_there_are() -> None:
    states = [{"a"}, {"a", "b"}, {"a", "b", "c"}, {"c", "unknown"}, set()]
    assert [score / GRAIN for score in VECTOR.scores(states)] == [0.5, 0.25, 0.375, 0.125, 0.0]


def test_the_lowest_scores_go_first() -> None:
    states = {1: {"a"}, 2: {"b"}, 3: {"c"}, 4: {"b", "c"}, 5: {"a", "c"}}
    assert VECTOR.lowest(states, Random(0)) == [2, 4]


def test_between_equals_chance_decides_and_not_age() -> None:
    states = {number: {"a"} for number in range(10)}
    dropped = [tuple(VECTOR.lowest(states, Random(seed))) for seed in range(40)]
    assert {number for ids in dropped for number in ids} == set(states)


def test_neither_the_order_of_the_states_nor_that_of_their_features_matters() -> None:
    rng = Random(7)
    names = [f"f{number}" for number in range(60)]
    vector = WeightVector(tuple(names), tuple(rng.uniform(-1, 1) for _ in names), 0.6)
    states = {number: rng.sample(names, rng.randrange(30)) for number in range(300)}
    other = {
        number: rng.sample(states[number], len(states[number])) for number in rng.sample(range(300), 300)
    }
    assert vector.lowest(states, Random(1)) == vector.lowest(other, Random(1))


@pytest.mark.parametrize(
    ("count", "ratio", "dropped"),
    [(10, 0.2, 2), (4, 0.2, 0), (5, 0.6, 3), (1_000, 0.6, 600), (15, 0.2, 3), (0, 0.4, 0)],
)
def test_the_share_is_rounded_down(count: int, ratio: float, dropped: int) -> None:
    assert share(count, ratio) == dropped


def test_no_share_of_whole_tens_falls_short() -> None:
    assert all(share(10 * tens, ratio / 10) == tens * ratio for tens in range(5_000) for ratio in (2, 4, 6))
