"""`@settings(backend="untrod")` on tests as people write them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from untrod.core.errors import UntrodError
from untrod.engines.inputs.backend import configure
from untrod.engines.inputs.backend.entry import register
from untrod.engines.inputs.backend.provider import UntrodProvider
from untrod.engines.inputs.backend.transfer import transfer

register()

SETTINGS = settings(
    backend="untrod",
    max_examples=150,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def run(test: Callable[[], None], **config: Any) -> UntrodProvider:
    """The provider that served `test`."""
    started: list[UntrodProvider] = []
    with configure(started=started.append, **{"seed": 5, **config}):
        test()
    return started[0]


@st.composite
def rising(draw: st.DrawFn) -> list[int]:
    return [draw(st.integers(0, 9)) for _ in range(draw(st.integers(3, 5)))]


def rising_test(values: list[list[int]], limit: int = 150) -> Callable[[], None]:
    @settings(SETTINGS, max_examples=limit)
    @given(rising())
    def test(value: list[int]) -> None:
        assume(all(low < high for low, high in pairwise(value)))
        values.append(value)

    return test


@pytest.mark.parametrize("learner", ["exonerate", "auto"])
def test_learning_needs_fewer_attempts_than_drawing_at_random(learner: str) -> None:
    learned, plain = run(rising_test([]), learner=learner), run(rising_test([]), learner="random")
    assert learned.episodes < 0.7 * plain.episodes


def test_the_simplest_input_is_learned_from_though_hypothesis_made_it() -> None:
    @settings(SETTINGS, max_examples=3)
    @given(st.tuples(*[st.integers(0, 10**9)] * 6))
    def test(value: tuple[int, ...]) -> None:
        assume(max(value) <= 10)

    provider = run(test)
    assert provider.learner.exonerate.valid >= 1
    assert provider.episodes < 100


def test_drawing_is_never_traced_and_checking_is_as_long_as_nothing_is_valid() -> None:
    drawing, checking = [], []

    @st.composite
    def watched(draw: st.DrawFn) -> int:
        value = draw(st.integers(0, 9))
        drawing.append(sys.gettrace())
        return value

    @settings(SETTINGS, max_examples=20)
    @given(watched(), watched())
    def test(one: int, other: int) -> None:
        checking.append(sys.gettrace() is not None)
        assume(one == 3 and other < 8 and len(checking) > 30)

    run(test)
    assert set(drawing) == {None}
    first_valid = next(at for at, value in enumerate(checking) if at > 30 and not value)
    assert all(checking[2:30])
    assert not any(checking[first_valid:])


def test_what_the_learner_slept_through_is_shown_to_it() -> None:
    seen: list[int] = []

    @settings(SETTINGS, max_examples=40)
    @given(st.integers(0, 10**6))
    def asleep_at_first(value: int) -> None:
        seen.append(value)
        assume(len(seen) != 10)

    run(asleep_at_first)
    slept = seen[1:9]
    assert set(slept) <= set(seen[10:])


def test_the_same_seed_gives_the_same_inputs() -> None:
    first: list[list[int]] = []
    second: list[list[int]] = []
    run(rising_test(first), seed=11)
    run(rising_test(second), seed=11)
    assert first == second


def test_equal_values_drawn_in_different_ways_are_one_input() -> None:
    @SETTINGS
    @given(st.integers(0, 60).map(lambda number: number % 2))
    def test(bit: int) -> None:
        assume(bit in (0, 1))

    provider = run(test, learner="exonerate")
    assert provider.valid >= 149  # the very first input is Hypothesis's own
    assert provider.unique == 2


def test_a_value_counts_as_it_was_drawn_even_if_the_test_changes_it() -> None:
    @SETTINGS
    @given(st.lists(st.integers(0, 9), min_size=2, max_size=2))
    def test(value: list[int]) -> None:
        value.clear()

    assert run(test, learner="exonerate").unique > 50


def test_failures_are_found_and_shrunk_by_hypothesis() -> None:
    @settings(SETTINGS, phases=[Phase.generate, Phase.shrink])
    @given(st.lists(st.integers(0, 20), min_size=2, max_size=4))
    def test(value: list[int]) -> None:
        assume(sorted(value) == value)
        assert value[-1] < 10, value

    with configure(seed=3), pytest.raises(AssertionError) as failure:
        test()
    assert "[0, 10]" in str(failure.value)


def test_every_kind_of_draw_is_served_and_learned_from() -> None:
    everything = st.tuples(
        st.integers(),
        st.floats(),
        st.text(),
        st.binary(),
        st.text("ab", max_size=3),
        st.sampled_from("xyz"),
        st.integers(0, 10**6),
        st.floats(0, 1),
        st.lists(st.booleans()),
        st.integers(min_value=2**200),
    )

    @SETTINGS
    @given(everything)
    def test(value: tuple[Any, ...]) -> None:
        assume(value[5] != "y")

    provider = run(test, learner="exonerate")
    assert provider.valid > 0.75 * provider.episodes


def test_a_large_integer_that_worked_is_used_again() -> None:
    @settings(SETTINGS, max_examples=40)
    @given(st.integers(0, 10**9))
    def test(value: int) -> None:
        assume(value % 7 == 3 or value < 100)

    assert run(test, learner="exonerate").valid >= 39


def test_state_machines_run() -> None:
    class Counter(RuleBasedStateMachine):
        count = 0

        @rule(step=st.integers(0, 5))
        def add(self, step: int) -> None:
            assume(step != 4)
            self.count += step

        @precondition(lambda self: self.count > 3)
        @rule()
        def reset(self) -> None:
            self.count = 0

    with configure(seed=2):
        run_state_machine_as_test(
            Counter, settings=settings(SETTINGS, max_examples=20, stateful_step_count=5)
        )


def test_a_warm_start_succeeds_at_once() -> None:
    cold = run(rising_test([]), learner="exonerate")
    tables = json.loads(json.dumps(transfer(cold)))
    warm = run(rising_test([], limit=50), learner="auto", tables=tables, seed=77)
    assert warm.episodes < 90


def test_tables_of_another_version_are_refused_in_one_line() -> None:
    with pytest.raises(UntrodError, match="cannot be read"):
        run(rising_test([]), tables={"format": 99})


def test_a_corpus_is_tried_first() -> None:
    values: list[list[int]] = []
    run(rising_test(values), learner="auto", corpus=((3, 2, 5, 9),))
    assert [2, 5, 9] in values[:2]  # the very first input is Hypothesis's own


def test_a_corpus_that_does_not_fit_is_no_obstacle() -> None:
    assert run(rising_test([]), corpus=(("x", 1.5, b"", True), ())).valid >= 149


def test_an_unknown_learner_is_refused_in_one_line() -> None:
    with pytest.raises(UntrodError, match="no learner 'wizard'"):
        run(rising_test([]), learner="wizard")


def test_an_unsatisfiable_test_is_reported_as_such() -> None:
    @SETTINGS
    @given(st.integers(0, 9))
    def test(value: int) -> None:
        assume(False)

    with configure(seed=1), pytest.raises(Unsatisfiable):
        test()


def test_an_unknown_learner_in_the_environment_is_named_and_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNTROD_LEARNER", "wizard")
    with pytest.warns(UserWarning, match="no learner 'wizard'"):
        rising_test([])()
