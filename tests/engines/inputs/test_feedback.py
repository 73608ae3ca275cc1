"""Characteristics and rewards of a generator's episodes, as its target fills them in."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from untrod.core.errors import UntrodError
from untrod.core.validity import assume
from untrod.core.vocabulary import Episode
from untrod.engines.inputs.judge import COLD, ByShape, ByValue, Characteristic, by_choices, by_function
from untrod.engines.inputs.target import Choose, Feedback, GeneratorTarget, Replay, check_reward


class Unlit:
    """A beacon that nobody watches."""

    def begin(self, episode: int) -> None: ...

    def trace(self, answers: list[int]) -> None: ...

    def end(self) -> None: ...


def numbers(choose: Choose) -> list[int]:
    return [choose(range(10)) for _ in range(choose(range(5)))]


def staged(values: list[int]) -> bool:
    """Gives up at the first problem."""
    if len(values) < 2:
        return False
    assume(values[0] == 7)
    return values[1] == 7


def sort_in_place(values: list[int]) -> None:
    for end in range(len(values)):
        for at in range(end):
            if values[at] > values[at + 1]:
                values[at], values[at + 1] = values[at + 1], values[at]


def target(
    characteristic: Characteristic | None = None,
    valid: Callable[[Any], object] | None = None,
    test: Callable[[Any], object] | None = None,
    feedback: Feedback | None = None,
) -> Callable[..., Episode]:
    made = GeneratorTarget(numbers, valid, test, characteristic or ByValue(), Unlit(), (), feedback)
    return lambda *answers: made.run(0, Replay(answers))


def traced() -> Feedback:
    return Feedback("", trace=True, greybox=False)


def greybox() -> Feedback:
    return Feedback("", trace=False, greybox=True)


def test_by_trace_the_path_counts_and_not_the_value() -> None:
    run = target(test=sort_in_place, feedback=traced())
    rising, rising_too, falling = run(3, 1, 2, 3), run(3, 4, 6, 9), run(3, 3, 2, 1)
    assert rising.key == rising_too.key
    assert rising.key != falling.key


def test_by_trace_the_validity_check_counts_too() -> None:
    def check(values: list[int]) -> bool:
        if values:
            return True
        return values == []

    run = target(valid=check, feedback=traced())
    assert run(0).key != run(1, 5).key


def test_by_trace_a_failure_has_a_key_and_a_rejection_has_none() -> None:
    def fails(values: list[int]) -> None:
        raise RuntimeError

    assert target(test=fails, feedback=traced())(1, 5).key is not None
    assert target(valid=staged, feedback=traced())(1, 5).key is None


def test_tracing_is_over_when_the_episode_is() -> None:
    target(test=sort_in_place, feedback=traced())(3, 1, 2, 3)
    assert sys.gettrace() is None


def test_under_a_debugger_the_value_serves_and_it_is_said() -> None:
    feedback = traced()
    run = target(test=sort_in_place, feedback=feedback)
    sys.settrace(lambda frame, event, argument: None)
    try:
        first, second = run(3, 1, 2, 3), run(3, 4, 6, 9)
    finally:
        sys.settrace(None)
    assert first.key == "[1, 2, 3]"
    assert first.key != second.key
    assert "falls back to value" in str(feedback.complaint())


def test_a_trace_that_sees_nothing_is_said() -> None:
    feedback = traced()
    run = target(valid=bool, feedback=feedback)
    for number in range(10):
        run(1, number)
    assert "no code of the project" in str(feedback.complaint())


def test_by_shape_only_the_places_that_ask_count() -> None:
    run = target(ByShape())
    assert run(2, 1, 2).key == run(2, 8, 9).key
    assert run(2, 1, 2).key != run(3, 1, 2, 3).key


def test_by_choices_every_answer_counts() -> None:
    run = target(by_choices)
    assert run(2, 1, 2).key != run(2, 8, 9).key
    assert run(2, 1, 2).key == run(2, 1, 2).key


@pytest.mark.parametrize("function", [len, lambda values: {"length": len(values)}], ids=["len", "unhashable"])
def test_by_a_function_its_result_counts(function: Callable[[Any], Any]) -> None:
    run = target(by_function(function))
    assert run(2, 1, 2).key == run(2, 8, 9).key
    assert run(2, 1, 2).key != run(3, 1, 2, 3).key


def test_greybox_gives_credit_for_coming_further() -> None:
    run = target(valid=staged, feedback=greybox())
    assert run(1, 7).progress > 0
    assert run(1, 8).progress == 0
    assert run(2, 5, 5).progress > 0
    assert run(2, 7, 5).progress > 0
    assert run(2, 7, 6).progress == 0


def test_greybox_looks_no_more_once_it_is_warm() -> None:
    run = target(valid=staged, feedback=greybox())
    for _ in range(COLD):
        run(2, 7, 7)
    assert run(1, 7).progress == 0


def test_without_a_tracer_the_place_that_rejected_still_counts() -> None:
    def check(values: list[int]) -> None:
        assume(len(values) > 1)
        assume(values[0] == 7)

    run = target(valid=check, feedback=greybox())
    sys.settrace(lambda frame, event, argument: None)
    try:
        assert [run(1, 7).progress, run(1, 8).progress, run(2, 5, 5).progress] == [1, 0, 1]
    finally:
        sys.settrace(None)


def test_blackbox_gives_none() -> None:
    run = target(valid=staged, feedback=Feedback("", trace=False, greybox=False))
    assert run(2, 5, 5).progress == 0  # rejected by an `assume`
    assert run(2, 7, 5).progress == 0  # rejected by its result


def test_what_was_reached_outlives_the_process() -> None:
    before, after = greybox(), greybox()
    target(valid=staged, feedback=before)(2, 5, 5)
    after.load(before.state())
    assert target(valid=staged, feedback=after)(2, 5, 5).progress == 0
    assert target(valid=staged, feedback=after)(2, 7, 5).progress > 0


def test_there_are_two_rewards() -> None:
    assert check_reward("greybox") == "greybox"
    with pytest.raises(UntrodError, match="no reward 'gray'"):
        check_reward("gray")
