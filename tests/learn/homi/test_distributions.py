"""What good tests teach, and what is drawn from it."""

from __future__ import annotations

from collections import Counter
from random import Random
from statistics import fmean

import pytest

from untrod.learn.homi import EXPLOIT, EXPLORE, REVERSE, Entry, PruningDistributions, WeightVector
from untrod.learn.pruning import Settings

SETTINGS = Settings(lengths=(10.0, 20.0))
VECTORS = {
    7: WeightVector(("x", "old"), (0.8, 0.1), 0.6),
    8: WeightVector(("x",), (0.9,), 0.6),
    9: WeightVector(("x",), (0.7,), 0.2),
}
GOOD = [
    Entry(0b1111, ("x", "y"), 7, 20.0),
    Entry(0b110000, ("y", "z"), 8, 20.0),
    Entry(0b1000000, ("z", "w"), 9, 10.0),
    Entry(0b10000000, (), None, 20.0),
]


def test_features_are_those_of_the_good_tests_the_best_test_first() -> None:
    assert PruningDistributions(GOOD, VECTORS, SETTINGS).features == ("x", "y", "z", "w")
    assert PruningDistributions(GOOD, VECTORS, Settings(features=3)).features == ("x", "y", "z")


def test_a_weight_is_learned_from_the_vectors_that_made_good_tests() -> None:
    learned = PruningDistributions(GOOD, VECTORS, SETTINGS).learned
    assert list(learned) == ["x"]
    assert learned["x"].mean == pytest.approx(0.8)
    assert learned["x"].deviation == pytest.approx((0.02 / 3) ** 0.5)


def test_exploiting_draws_around_the_learned_weight_and_anything_for_the_unknown() -> None:
    distributions, rng = PruningDistributions(GOOD, VECTORS, SETTINGS), Random(1)
    drawn = [
        dict(zip("xyzw", distributions.draw_vector(EXPLOIT, rng).weights, strict=True)) for _ in range(300)
    ]
    assert all(0.3 < weights["x"] <= 1.0 for weights in drawn)
    assert fmean(weights["x"] for weights in drawn) == pytest.approx(0.8, abs=0.02)
    assert min(weights["y"] for weights in drawn) < -0.9
    assert max(weights["y"] for weights in drawn) > 0.9


def test_reverse_draws_lie_at_the_other_end() -> None:
    distributions, rng = PruningDistributions(GOOD, VECTORS, SETTINGS), Random(2)
    drawn = [distributions.draw_vector(REVERSE, rng).weights[0] for _ in range(300)]
    assert max(drawn) < -0.8  # the smallest of 100 uniform draws


def test_exploring_knows_nothing() -> None:
    distributions, rng = PruningDistributions(GOOD, VECTORS, SETTINGS), Random(3)
    drawn = [distributions.draw_vector(EXPLORE, rng) for _ in range(300)]
    assert min(vector.weights[0] for vector in drawn) < -0.9
    assert {vector.ratio for vector in drawn} == {0.2, 0.4, 0.6}
    assert {distributions.draw_length(EXPLORE, rng) for _ in range(50)} == {10.0, 20.0}


@pytest.mark.parametrize("method", [EXPLOIT, REVERSE])
def test_ratio_and_length_are_drawn_by_how_often_they_made_good_tests(method: str) -> None:
    distributions, rng = PruningDistributions(GOOD, VECTORS, SETTINGS), Random(4)
    ratios = Counter(distributions.draw_vector(method, rng).ratio for _ in range(600))
    lengths = Counter(distributions.draw_length(method, rng) for _ in range(600))
    assert ratios[0.4] == 0
    assert ratios[0.6] / 600 == pytest.approx(2 / 3, abs=0.06)
    assert lengths[20.0] / 600 == pytest.approx(3 / 4, abs=0.06)


def test_without_good_tests_everything_is_uniform() -> None:
    distributions, rng = PruningDistributions([], {}, SETTINGS), Random(5)
    assert distributions.features == ()
    assert {distributions.draw_length(EXPLOIT, rng) for _ in range(50)} == {10.0, 20.0}


def test_lengths_of_other_settings_are_not_drawn() -> None:
    distributions, rng = PruningDistributions(GOOD, VECTORS, Settings(lengths=(1.0, 2.0))), Random(6)
    assert {distributions.draw_length(EXPLOIT, rng) for _ in range(50)} == {1.0, 2.0}
