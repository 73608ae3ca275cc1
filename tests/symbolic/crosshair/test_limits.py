"""CrossHair behind the protocol: paths that are too long, too hard, not repeatable, or stopped."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest
from walks import Always, first, two_ways

from untrod.symbolic.crosshair.executor import CrosshairExecutor
from untrod.symbolic.protocol import Branch, Condition, Location, State
from untrod.testing.subjects import triangle


def collatz(number: int) -> int:
    steps = 0
    while number != 1:
        number = number // 2 if number % 2 == 0 else 3 * number + 1
        steps += 1
    return steps


def test_too_many_branches_end_a_path_and_its_inputs_are_still_known():
    executor = CrosshairExecutor(collatz)
    result = executor.advance(executor.initial(), Always(True), max_branches=7)

    assert result.status == "limit"
    assert len(result.branches) == 7
    assert result.inputs is not None
    assert "7 branches" in result.reason


def catches_all(number: int) -> int:
    count = 0
    while count < 1000:
        try:
            if number > count:
                count += 1
        except BaseException:
            count += 1
    return count


def test_code_that_catches_everything_does_not_get_past_the_limit():
    executor = CrosshairExecutor(catches_all)
    result = executor.advance(executor.initial(), Always(True), max_branches=5)

    assert result.status == "limit"
    assert len(result.branches) == 5


def test_past_the_deadline_a_path_ends_at_its_next_branch():
    executor = CrosshairExecutor(triangle)
    result = executor.advance(
        executor.initial(), Always(True), max_branches=10, deadline=time.monotonic() - 1
    )

    assert result.status == "limit"
    assert "deadline" in result.reason
    assert result.branches == ()


def fermat(a: int, b: int, c: int) -> str:
    if a > 1 and b > 1 and c > 1:
        if a * a * a + b * b * b == c * c * c:
            return "a miracle"
        return "as proved"
    return "small"


def test_where_the_solver_gives_up_the_side_stays_unknown_and_is_not_called_infeasible():
    policy = Always(True)
    executor = CrosshairExecutor(fermat, solver_units=20_000)
    result = executor.advance(executor.initial(), policy, max_branches=10)

    last = result.branches[-1]
    assert result.value == "as proved"
    assert (last.wanted, last.taken, last.other) == (True, False, "unknown")
    assert [feasible for _, feasible in policy.told] == [True, True, True]
    unknown = State(99, 0, result.branches, len(result.branches))
    assert [state.depth for state in result.pending] == [1, 2, 3]
    assert executor.advance(unknown, policy, max_branches=10).status == "unknown"
    assert executor.check(unknown) == "unknown"
    assert executor.solve(unknown) is None


def insists(number: int) -> int:
    from crosshair.util import IgnoreAttempt

    if number < 0:
        raise IgnoreAttempt("precondition")
    return number


def test_an_ignored_attempt_is_told_apart_from_an_exception():
    assert first(insists, True).status == "ignored"
    assert first(insists, False).status == "done"


CALLS = 0


def moody(number: int) -> int:
    global CALLS
    CALLS += 1
    return 1 if number > CALLS else 0


def test_a_function_that_asks_something_else_each_time_is_reported_as_diverged():
    executor = CrosshairExecutor(moody)
    (state,) = executor.advance(executor.initial(), Always(True), max_branches=10).pending
    result = executor.advance(state, Always(True), max_branches=10)

    assert result.status == "diverged"
    assert "moody" in result.reason


def test_a_function_that_ends_earlier_than_before_has_diverged_too():
    lives = [True]

    def mortal(number: int) -> int:
        return 1 if lives and number > 3 else 0

    executor = CrosshairExecutor(mortal)
    (state,) = executor.advance(executor.initial(), Always(True), max_branches=10).pending
    lives.clear()
    result = executor.advance(state, Always(True), max_branches=10)

    assert result.status == "diverged"
    assert "ended after 0 decisions" in result.reason


def test_a_cache_that_is_filled_on_the_way_is_forgiven_by_running_again():
    seen: list[int] = []

    def cached(number: int) -> int:
        if len(seen) == 1:  # only on the second run
            seen.append(1)
            return int(number > 99)
        if not seen:
            seen.append(0)
        return 1 if number > 3 else 0

    executor = CrosshairExecutor(cached)
    (state,) = executor.advance(executor.initial(), Always(True), max_branches=10).pending

    assert executor.advance(state, Always(True), max_branches=10).status == "done"


class Broken(Always):
    def decide(self, location: Location, condition: Condition, history: Sequence[Branch]) -> bool:
        raise RuntimeError("a mistake in the policy")


def test_a_mistake_in_the_policy_comes_out_even_of_code_that_catches_everything():
    executor = CrosshairExecutor(catches_all)

    with pytest.raises(RuntimeError, match="a mistake in the policy"):
        executor.advance(executor.initial(), Broken(True), max_branches=5)
    assert first(two_ways).status == "done"  # and CrossHair is usable as before
