"""Weights around a mean, never outside of [-1, 1]."""

from __future__ import annotations

from random import Random
from statistics import fmean, pstdev

import pytest

from untrod.learn.homi import UNKNOWN_DEVIATION, TruncatedNormal


def test_the_fit_is_the_mean_and_the_deviation_of_the_population() -> None:
    fit = TruncatedNormal.fit([0.1, 0.5, 0.3])
    assert fit.mean == pytest.approx(0.3)
    assert fit.deviation == pytest.approx(pstdev([0.1, 0.5, 0.3]))


@pytest.mark.parametrize("values", [[0.25], [0.25, 0.25, 0.25]])
def test_values_that_do_not_differ_say_nothing_about_the_deviation(values: list[float]) -> None:
    fit = TruncatedNormal.fit(values)
    assert (fit.mean, fit.deviation) == (0.25, UNKNOWN_DEVIATION)


def test_a_narrow_one_is_hardly_cut() -> None:
    rng, normal = Random(1), TruncatedNormal(0.4, 0.1)
    draws = [normal.draw(rng) for _ in range(4_000)]
    assert fmean(draws) == pytest.approx(0.4, abs=0.01)
    assert pstdev(draws) == pytest.approx(0.1, abs=0.01)


def test_a_wide_one_is_almost_uniform() -> None:
    rng, normal = Random(2), TruncatedNormal(0.0, 50.0)
    draws = [normal.draw(rng) for _ in range(4_000)]
    assert fmean(draws) == pytest.approx(0.0, abs=0.05)
    assert pstdev(draws) == pytest.approx(3**-0.5, abs=0.02)


@pytest.mark.parametrize("mean", [-1.0, 0.0, 1.0])
@pytest.mark.parametrize("deviation", [1e-12, 1e-3, 0.5, 1e6])
def test_no_draw_is_outside(mean: float, deviation: float) -> None:
    rng, normal = Random(3), TruncatedNormal(mean, deviation)
    assert all(-1.0 <= normal.draw(rng) <= 1.0 for _ in range(500))


@pytest.mark.parametrize("luck", [0.0, 1.0 - 2.0**-53])
@pytest.mark.parametrize("mean", [-1.0, 0.0, 1.0])
@pytest.mark.parametrize("deviation", [1e-3, 0.5])
def test_the_ends_of_the_random_numbers_have_weights_too(luck: float, mean: float, deviation: float) -> None:
    class Lucky(Random):
        def random(self) -> float:
            return luck

    assert -1.0 <= TruncatedNormal(mean, deviation).draw(Lucky()) <= 1.0


@pytest.mark.parametrize(("mean", "deviation"), [(1.5, 0.1), (0.0, 0.0), (0.0, -1.0)])
def test_what_is_no_such_distribution_is_refused(mean: float, deviation: float) -> None:
    with pytest.raises(ValueError, match="do not fit"):
        TruncatedNormal(mean, deviation)
