"""The fitted class is the right one on what textbooks say, with lower-order terms and with noise."""

from __future__ import annotations

import math
from random import Random

import pytest

from untrod.engines.worst.growth import CLASSES, Point, differ, fit

DOUBLING = (4, 8, 16, 32, 64)


def log(n):
    return math.log2(n)


def points(cost, sizes=DOUBLING):
    return [Point(n, cost(n)) for n in sizes]


@pytest.mark.parametrize(
    ("expected", "cost"),
    [
        ("1", lambda n: 44),
        ("log n", lambda n: 20 * log(n) + 33),
        ("log n", lambda n: math.floor(log(n)) + 1),
        ("sqrt n", lambda n: 9 * math.sqrt(n) + 4),
        ("n", lambda n: 10 * n + 30),
        ("n", lambda n: n - 3),
        ("n log n", lambda n: 30 * n * log(n) + 20 * n + 50),
        (
            "n log n",
            lambda n: 2 * (n + 1) * sum(1 / k for k in range(1, n + 1)) - 4 * n,
        ),  # quicksort, average
        ("n^2", lambda n: n * (n - 1) / 2),
        ("n^2", lambda n: 25 * n**2 + 14 * n + 9),
        ("n^2", lambda n: 5 * n**2 + 100 * n + 50),
        ("n^2", lambda n: (n - n // 2 + 1) * (n // 2)),  # naive search, pattern half the text
        ("n^2 log n", lambda n: 7 * n**2 * log(n) + 5 * n**2),
        ("n^3", lambda n: n * (n - 1) * (n - 2) / 6),
        ("n^4", lambda n: n**4 + 3 * n**2),
    ],
)
def test_textbook_costs(expected, cost):
    growth = fit(points(cost))
    assert growth.name == expected, growth
    assert growth.sure


@pytest.mark.parametrize("cost", [lambda n: 2**n * 7 - 4, lambda n: 1.618**n + 12, lambda n: 3 * 3**n])
def test_exponential_costs_at_sizes_that_can_be_run(cost):
    growth = fit(points(cost, (4, 6, 8, 10, 12)))
    assert growth.name == "exponential"
    assert growth.sure


@pytest.mark.parametrize("cost", [lambda n: 10 * n, lambda n: 5 * n * log(n), lambda n: n**2 + 8 * n])
@pytest.mark.parametrize("seed", range(5))
def test_means_of_a_noisy_sample_keep_their_class(cost, seed):
    rng = Random(seed)
    noisy = [Point(n, cost(n) * rng.gauss(1, 0.02), 0.02 * cost(n)) for n in (8, 16, 32, 64, 128, 256)]
    assert fit(noisy).name == fit(points(cost)).name


def test_three_sizes_are_not_enough_for_a_statement():
    growth = fit(points(lambda n: n, (4, 8, 16)))
    assert growth.name == ""
    assert "not enough sizes" in str(growth)


def test_sizes_close_together_give_no_confidence():
    growth = fit(points(lambda n: 7 * n, (10, 11, 12, 13)))
    assert not growth.sure
    assert growth.rival in CLASSES
    assert growth.rival in str(growth)


def test_what_follows_no_class_is_not_given_one():
    growth = fit([Point(4, 100), Point(8, 3), Point(16, 900), Point(32, 10)])
    assert growth.name == ""
    assert "no class fits" in str(growth)


def test_costs_of_nothing():
    assert fit(points(lambda n: 0)).name == "1"
    assert fit([Point(4, 0), *points(lambda n: n, (8, 16, 32))]).name == ""


def test_the_order_of_the_points_does_not_matter():
    assert fit(points(lambda n: n**2)[::-1]) == fit(points(lambda n: n**2))


def test_an_alarm_needs_two_classes_and_a_ratio_that_grows():
    worst, average = points(lambda n: n**2), points(lambda n: 2 * n * log(n) + n)
    assert differ(fit(worst), fit(average), worst, average)
    assert not differ(fit(average), fit(worst), average, worst), "the average cannot be worse than the worst"
    assert not differ(fit(worst), fit(worst), worst, worst)


def test_no_alarm_where_nothing_is_known():
    few, average = points(lambda n: n**2, (4, 8, 16)), points(lambda n: n)
    assert not differ(fit(few), fit(average), few, average)


def test_a_growth_is_told_with_its_formula():
    assert str(fit(points(lambda n: n * (n - 1) / 2))).startswith("n^2 (confidence 9")
    assert str(fit(points(lambda n: n * (n - 1) / 2))).endswith("0.5 n^2 - 0.5 n")
