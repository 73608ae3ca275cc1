from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from untrod.output.html.scale import Scale, exact, nice_step, short, shorts

NUMBERS = st.lists(st.floats(0, 1e12, allow_nan=False), min_size=1, max_size=20)


@given(NUMBERS, st.booleans())
def test_every_value_lies_on_the_picture_and_ticks_are_few(values: list[float], log: bool) -> None:
    scale = Scale.of(values, 0.0, 100.0, log=log).up_to_a_tick()

    assert all(-1e-6 <= scale(value) <= 100.0 + 1e-6 for value in values)
    assert 2 <= len(scale.ticks) <= 8


def test_counts_have_no_ticks_between_whole_numbers() -> None:
    assert Scale.of([0, 1], 0, 100).ticks == (0, 1)
    assert Scale.of([0, 4620], 0, 100).ticks == (0, 1000, 2000, 3000, 4000, 5000)


def test_values_over_many_powers_of_ten_are_drawn_logarithmically_if_they_may_be() -> None:
    assert Scale.of([3, 40_000], 0, 100, log=True).ticks == (1, 10, 100, 1000, 10_000, 100_000)
    assert not Scale.of([3, 300], 0, 100, log=True).log
    assert not Scale.of([3, 40_000], 0, 100).log


@pytest.mark.parametrize(("rough", "step"), [(0.7, 1), (1.0, 1), (1.1, 2), (3, 5), (600, 1000), (0.02, 0.02)])
def test_steps_are_those_a_person_would_choose(rough: float, step: float) -> None:
    assert nice_step(rough) == pytest.approx(step)


def test_numbers_are_short_on_axes_and_exact_elsewhere() -> None:
    assert [short(each) for each in (0, 950, 9500, 12_000, 1_500_000, 0.25)] == [
        "0", "950", "9,500", "12k", "1.5M", "0.25",
    ]  # fmt: skip
    assert shorts([0, 2000, 8000, 10_000]) == ["0", "2k", "8k", "10k"]
    assert shorts([0, 2000, 8000]) == ["0", "2,000", "8,000"]
    assert shorts([1, 1000, 1_000_000]) == ["1", "1,000", "1M"]
    assert [exact(each) for each in (12_443, 470.25, 0.5)] == ["12,443", "470.2", "0.5"]
