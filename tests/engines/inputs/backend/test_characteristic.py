"""What counts as a different test case, for the Hypothesis backend."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from untrod.core.errors import UntrodError
from untrod.engines.inputs.backend import configure
from untrod.engines.inputs.backend.config import current
from untrod.engines.inputs.backend.entry import register
from untrod.engines.inputs.backend.provider import UntrodProvider

register()

SETTINGS = settings(
    backend="untrod",
    max_examples=60,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def run(test: Callable[[], None], **config: Any) -> UntrodProvider:
    """The provider that served `test`. Exonerate listens from the first test case on."""
    started: list[UntrodProvider] = []
    with configure(started=started.append, **{"seed": 5, "learner": "exonerate", **config}):
        test()
    return started[0]


@SETTINGS
@given(values=st.lists(st.integers(0, 9), min_size=1, max_size=3), flag=st.booleans())
def sample(values: list[int], flag: bool) -> None:
    if flag:
        values.sort()
    values.clear()


def test_by_value_each_drawn_value_is_different() -> None:
    assert run(sample).unique > 40


def test_by_shape_what_was_drawn_does_not_count() -> None:
    assert run(sample, different="shape").unique == 3  # one for each length


def test_by_choices_the_way_counts_and_not_where_it_leads() -> None:
    @SETTINGS
    @given(st.integers(0, 60).map(lambda number: number % 2))
    def test(bit: int) -> None: ...

    assert run(test).unique == 2
    assert run(test, different="choices").unique > 40


def test_by_trace_the_path_counts_and_drawing_is_no_part_of_it() -> None:
    @st.composite
    def winding(draw: st.DrawFn) -> int:
        number = draw(st.integers(0, 60))
        for _ in range(number):
            number -= 1
        return number

    @SETTINGS
    @given(winding(), st.booleans(), st.data())
    def test(number: int, flag: bool, data: st.DataObject) -> None:
        data.draw(winding())
        if flag:
            assert number == 0

    assert run(test, different="trace").unique == 2
    assert sys.gettrace() is None


def test_a_function_is_given_the_arguments_it_names_before_the_test_can_change_them() -> None:
    assert run(sample, different=lambda values: len(values)).unique == 3
    assert run(sample, different=lambda values, flag: (len(values), flag)).unique == 6
    assert run(sample, different=lambda **drawn: sorted(drawn)).unique == 1


def test_a_function_that_does_not_fit_is_named_and_the_value_serves() -> None:
    provider = run(sample, different=lambda other: other)
    assert provider.unique > 40
    assert "it asks for other; the test draws values, flag" in str(provider.characteristic.complaint)


def test_outside_a_campaign_it_is_said_as_a_warning_once() -> None:
    with (
        configure(seed=5, learner="exonerate", different=lambda other: other),
        pytest.warns(UserWarning, match="cannot tell inputs apart") as caught,
    ):
        sample()
    assert len(caught) == 1


def test_under_a_debugger_or_coverage_trace_falls_back_to_value() -> None:
    before = sys.gettrace()
    sys.settrace(lambda frame, event, argument: None)
    try:
        provider = run(sample, different="trace")
    finally:
        sys.settrace(before)
    assert provider.unique > 40
    assert "falls back to value" in str(provider.characteristic.complaint)


@pytest.mark.parametrize(("reward", "climbed"), [("greybox", True), ("blackbox", False)])
def test_only_greybox_gives_credit_to_rejected_inputs(reward: str, climbed: bool) -> None:
    @settings(SETTINGS, max_examples=1000)
    @given(st.lists(st.integers(0, 40), min_size=6, max_size=6))
    def test(values: list[int]) -> None:
        for value in values:
            assume(value == 33)

    started: list[UntrodProvider] = []
    with (
        configure(started=started.append, seed=5, learner="exonerate", reward=reward),
        suppress(Unsatisfiable),  # hardly any input is valid
    ):
        test()
    assert bool(started[0].learner.frontier) is climbed


def test_the_environment_sets_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNTROD_DIFFERENT", "trace")
    monkeypatch.setenv("UNTROD_REWARD", "blackbox")
    assert (current().different, current().reward) == ("trace", "blackbox")


@pytest.mark.parametrize(
    ("variable", "name", "default"),
    [("UNTROD_LEARNER", "learner", "auto"), ("UNTROD_DIFFERENT", "different", "value")],
)
def test_a_misspelt_environment_warns_and_is_ignored(
    monkeypatch: pytest.MonkeyPatch, variable: str, name: str, default: str
) -> None:
    monkeypatch.setenv(variable, "montecarol")
    with pytest.warns(UserWarning, match=variable):
        assert getattr(current(), name) == default


@pytest.mark.parametrize("change", [{"different": "vlaue"}, {"reward": "gray"}, {"learner": "montecarol"}])
def test_a_misspelt_configuration_is_refused(change: dict[str, str]) -> None:
    with pytest.raises(UntrodError, match="|".join(change.values())), configure(**change):
        pass
