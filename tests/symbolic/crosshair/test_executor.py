"""CrossHair behind the protocol: what a path is, how it ends, what it leaves to explore, how it repeats."""

from __future__ import annotations

import copy
import enum
import functools
import math
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from untrod.core.errors import UntrodError
from untrod.source.literals import is_literal
from untrod.symbolic.crosshair.executor import CrosshairExecutor
from untrod.symbolic.protocol import Branch, Condition, Location, PathResult, State


class Always:
    """A policy with one answer, which remembers what it was asked and told."""

    def __init__(self, answer: bool) -> None:
        self.answer = answer
        self.asked: list[Location] = []
        self.told: list[tuple[Branch, bool]] = []

    def decide(self, location: Location, condition: Condition, history: Sequence[Branch]) -> bool:
        self.asked.append(location)
        return self.answer

    def feedback(self, branch: Branch, feasible: bool) -> None:
        self.told.append((branch, feasible))


def first(function: Callable[..., Any], answer: bool = False, **options: Any) -> PathResult:
    executor = CrosshairExecutor(function, **options)
    return executor.advance(executor.initial(), Always(answer), max_branches=100)


def explore(function: Callable[..., Any], paths: int = 200, **options: Any) -> list[PathResult]:
    """The shallowest state first, to the end or for so many paths."""
    executor = CrosshairExecutor(function, **options)
    frontier, results = [executor.initial()], []
    while frontier and len(results) < paths:
        state = min(frontier, key=lambda state: (state.depth, state.id))
        frontier.remove(state)
        results.append(executor.advance(state, Always(False), max_branches=50))
        frontier += results[-1].pending
    return results


def concretely(function: Callable[..., Any], inputs: tuple[Any, ...]) -> tuple[Any, str]:
    try:
        return function(*copy.deepcopy(inputs)), ""
    except Exception as error:
        return None, repr(error)


def triangle(a: int, b: int, c: int) -> str:
    if a <= 0 or b <= 0 or c <= 0:
        return "none"
    if a + b <= c or a + c <= b or b + c <= a:
        return "flat"
    if a == b and b == c:
        return "equilateral"
    if a == b or b == c or c == a:
        return "isosceles"
    return "scalene"


def test_every_path_of_a_small_function_is_found_and_no_path_twice():
    results = explore(triangle)

    assert Counter(result.status for result in results) == {"done": 11}
    assert {result.value for result in results} == {"none", "flat", "equilateral", "isosceles", "scalene"}
    walked = {tuple((branch.location, branch.taken) for branch in result.branches) for result in results}
    assert len(walked) == len(results)


def test_the_inputs_of_a_path_walk_that_path():
    for result in explore(triangle):
        assert result.inputs is not None
        assert triangle(*result.inputs) == result.value


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


@dataclass
class Account:
    balance: int
    owner: str
    vip: bool = False


def of_text(text: str) -> str:
    if text.startswith("ab"):
        return "prefix"
    if text.isdigit() and len(text) == 2:
        return "two digits"
    return "other"


def of_dict(table: dict[str, int]) -> str:
    if "a" in table:
        return "large" if table["a"] > 10 else "small"
    return "no a"


def of_list(numbers: list[int]) -> str:
    large = 0
    for number in numbers:
        if number > 100:
            large += 1
    if large >= 2:
        return "many"
    return "exact" if len(numbers) == 1 and numbers[0] * 3 == 21 else "few"


def of_class(account: Account, amount: int) -> str:
    if account.vip:
        return "vip"
    if account.balance < amount:
        raise ValueError(f"{amount - account.balance} too little")
    return "bob" if account.owner == "bob" else "other"


def of_choice(colour: Colour, number: int | None, ratio: float) -> str:
    if number is None:
        return colour.name
    if number > 5:
        return "number"
    return "ratio" if ratio > 2.5 else "nothing"


RICH = {
    of_text: {"prefix", "two digits", "other"},
    of_dict: {"large", "small", "no a"},
    of_list: {"many", "exact", "few"},
    of_class: {"vip", "bob", "other", None},
    of_choice: {"RED", "GREEN", "number", "ratio", "nothing"},
}


@pytest.mark.parametrize("function", RICH, ids=lambda function: function.__name__)
def test_rich_types_are_explored_and_their_inputs_are_plain_values(function):
    results = [result for result in explore(function, paths=25) if result.status in ("done", "raised")]

    assert {result.value for result in results} == RICH[function]
    for result in results:
        assert result.inputs is not None
        assert is_literal(result.inputs)
        value, error = concretely(function, result.inputs)
        assert value == result.value
        assert error == ("" if result.error is None else repr(result.error))


def test_an_exception_of_the_code_under_test_is_a_result_with_concrete_text():
    raised = [result for result in explore(of_class, paths=10) if result.status == "raised"]

    assert raised
    for result in raised:
        account, amount = result.inputs
        assert type(result.error) is ValueError
        assert str(result.error) == f"{amount - account.balance} too little"
        assert result.error.__traceback__ is None


def exits(number: int) -> None:
    if number > 3:
        sys.exit(number)


def test_even_an_exit_stays_inside():
    result = first(exits, True)

    assert result.status == "raised"
    assert type(result.error) is SystemExit
    assert result.error.code == result.inputs[0] > 3


def two_ways(number: int) -> int:
    return 1 if number > 3 else 2


def test_a_branch_says_where_it_stands_what_was_wanted_and_what_became_of_it():
    policy = Always(True)
    executor = CrosshairExecutor(two_ways)
    result = executor.advance(executor.initial(), policy, max_branches=10)

    (branch,) = result.branches
    assert branch.location.unit == "two_ways"
    assert branch.location.line == two_ways.__code__.co_firstlineno + 1
    assert branch.condition.core() == ("number", ">", 3)
    assert (branch.kind, branch.wanted, branch.taken, branch.other) == ("user", True, True, "unchecked")
    assert policy.asked == [branch.location]
    assert policy.told == [(branch, True)]


def test_siblings_are_handed_back_unchecked_and_share_one_trail():
    result = first(triangle)

    asked = [number for number, branch in enumerate(result.branches, 1) if branch.kind != "implied"]
    assert [state.depth for state in result.pending] == asked
    assert {state.feasibility for state in result.pending} == {"unchecked"}
    assert {state.parent for state in result.pending} == {0}
    assert len({state.id for state in result.pending}) == len(result.pending)
    assert len({id(state.trail) for state in result.pending}) == 1


def contradicts(number: int) -> str:
    if number > 10:
        if number < 5:
            return "never"
        return "large"
    return "small"


def test_an_infeasible_side_is_told_to_the_policy_and_leaves_no_sibling():
    policy = Always(True)
    executor = CrosshairExecutor(contradicts)
    result = executor.advance(executor.initial(), policy, max_branches=10)

    _, inner = result.branches
    assert result.value == "large"
    assert (inner.wanted, inner.taken, inner.other) == (True, False, "unsat")
    assert [feasible for _, feasible in policy.told] == [True, False]
    assert [state.depth for state in result.pending] == [1]


def test_a_sibling_that_turns_out_infeasible_ends_there():
    executor = CrosshairExecutor(contradicts)
    above = executor.advance(executor.initial(), Wanting(True, False), max_branches=10)
    never = above.pending[1]

    result = executor.advance(never, Always(False), max_branches=10)

    assert result.status == "infeasible"
    assert result.inputs is None
    assert result.pending == ()
    assert executor.check(never) == "unsat"
    assert executor.solve(never) is None


class Wanting(Always):
    """Wants these sides, one after the other."""

    def __init__(self, *answers: bool) -> None:
        super().__init__(False)
        self.answers = list(answers)

    def decide(self, location: Location, condition: Condition, history: Sequence[Branch]) -> bool:
        return self.answers.pop(0)


def asks_twice(number: int) -> int:
    score = 0
    if number > 3:
        score += 1
    if number > 3:
        score += 1
    small = not number > 3
    if small:
        score += 1
    return score


def test_a_condition_asked_again_is_on_the_path_as_implied_and_costs_nothing():
    policy = Always(True)
    executor = CrosshairExecutor(asks_twice)
    result = executor.advance(executor.initial(), policy, max_branches=10)

    assert [branch.kind for branch in result.branches] == ["user", "implied", "implied"]
    assert [branch.taken for branch in result.branches] == [True, True, False]
    assert len({branch.location for branch in result.branches}) == 3
    assert len(policy.asked) == 1
    assert len(result.pending) == 1
    assert {result.value for result in explore(asks_twice)} == {1, 2}


def test_the_questions_behind_one_call_are_internal_at_that_call():
    def digits(text: str) -> bool:
        return text.isdigit()

    results = explore(digits, paths=10)
    branches = [branch for result in results for branch in result.branches]

    assert {branch.kind for branch in branches} == {"internal", "value"}
    assert len({branch.location for branch in branches}) == 1
    assert {result.value for result in results if result.status == "done"} == {True, False}


def hashes(number: int) -> int:
    return hash(number) if 0 <= number < 3 else -1


def test_a_value_made_concrete_is_a_decision_so_the_other_values_can_be_reached():
    results = explore(hashes)

    values = [branch for result in results for branch in result.branches if branch.kind == "value"]
    assert values
    assert {result.value for result in results if result.status == "done"} == {-1, 0, 1, 2}


def test_a_state_can_be_run_again_and_gives_the_same_path():
    executor = CrosshairExecutor(of_text)
    state = executor.initial()
    for _ in range(6):
        once = executor.advance(state, Always(False), max_branches=100)
        again = executor.advance(state, Always(False), max_branches=100)

        assert once.status == again.status
        assert [branch.location for branch in once.branches] == [branch.location for branch in again.branches]
        assert [branch.condition.key for branch in once.branches] == [
            branch.condition.key for branch in again.branches
        ]
        assert [branch.taken for branch in once.branches] == [branch.taken for branch in again.branches]
        assert state.path() == tuple(branch.taken for branch in once.branches[: state.depth])
        state = next((each for each in reversed(once.pending) if executor.check(each) == "sat"), state)


def summary() -> str:
    results = explore(of_list, paths=15)
    return repr([(result.status, result.inputs, result.stats.solver_units) for result in results])


def test_a_whole_search_is_the_same_in_every_process_inputs_and_costs_included():
    script = f"import runpy; print(runpy.run_path({__file__!r})['summary']())"
    once, again = (subprocess.check_output([sys.executable, "-c", script], text=True) for _ in range(2))

    assert "done" in once
    assert once == again


def test_names_of_inputs_do_not_depend_on_the_arguments_before_them():
    def either(first: int | list[int], second: Account) -> int:
        return 1 if second.balance > 7 else 2

    keys = {result.branches[-1].condition.key for result in explore(either)}

    assert len(keys) == 1


def test_check_and_solve_go_as_far_as_the_state_and_no_further():
    reached = []

    def long(number: int) -> None:
        if number > 3 and number != 10:
            reached.append(number)

    executor = CrosshairExecutor(long)
    (state,) = executor.advance(executor.initial(), Always(False), max_branches=10).pending

    assert executor.check(state) == "sat"
    assert executor.solve(state)[0] > 3
    assert executor.solve(executor.initial()) is not None
    assert reached == []


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


def test_the_solvers_work_is_counted_along_the_path():
    result = first(triangle)

    assert result.stats.solver_calls > 0
    assert result.stats.solver_units > 0
    costs = [state.query_cost for state in result.pending]
    assert costs == sorted(costs)
    assert costs[-1] <= result.stats.solver_units


def test_tracing_is_over_when_a_path_is():
    before = sys.gettrace()
    first(two_ways)
    assert sys.gettrace() is before


def test_rest_arguments_defaults_and_keywords():
    def mixed(number: int, plain=7, *rest: int, option: int = 3) -> tuple[int, int, int]:
        return plain, len(rest), option

    inputs = {result.inputs[1:] for result in explore(mixed, paths=12) if result.status == "done"}

    assert {len(each) for each in inputs} > {1, 2}
    assert {each[0] for each in inputs} == {7}


def unannotated(number):
    return number


def keyword_only(*, number: int) -> int:
    return number


def unresolved(number: Nowhere) -> int:  # noqa: F821
    return 0


@pytest.mark.parametrize(
    ("function", "line"),
    [
        (unannotated, "the parameter number of unannotated has no annotation"),
        (keyword_only, "keyword_only needs the keyword number"),
        (unresolved, "the signature of unresolved cannot be read"),
    ],
)
def test_what_cannot_be_called_with_symbolic_arguments_is_said_in_one_line(function, line):
    with pytest.raises(UntrodError, match=line) as raised:
        CrosshairExecutor(function)
    assert raised.value.hint


@functools.lru_cache
def decorated(number: int) -> str:
    return "large" if number > 3 else "small"


def test_the_code_behind_a_decorator_is_the_users():
    (branch,) = first(decorated).branches
    assert branch.location.unit == "decorated"
    assert branch.kind == "user"


@pytest.mark.parametrize("kind", [str, int])
def test_keys_of_a_dict_differ_so_that_dicts_of_several_sizes_come_about(kind):
    def counts(table):
        count = 0
        for _ in table:
            count += 1
        return count

    counts.__annotations__["table"] = dict[kind, int]
    results = explore(counts, paths=4)

    assert [result.value for result in results if result.status == "done"] == [0, 1, 2, 3]
    assert [len(result.inputs[0]) for result in results] == [0, 1, 2, 3]


def test_no_input_holds_an_object_twice_since_no_literal_could_say_so():
    def twins(accounts: list[Account]) -> bool:
        return len(accounts) == 2 and accounts[0] is accounts[1]

    results = explore(twins, paths=20)

    assert {len(result.inputs[0]) for result in results if result.inputs} == {0, 2}
    assert {result.value for result in results if result.status == "done"} == {False}


def test_not_a_number_is_an_input_as_well():
    def odd(ratio: float) -> bool:
        return ratio != ratio

    assert any(math.isnan(result.inputs[0]) and result.value for result in explore(odd, paths=10))


def test_an_initial_state_is_feasible_and_nothing_has_to_be_released():
    executor = CrosshairExecutor(two_ways)
    assert executor.initial() == State(0, None, feasibility="sat")
    assert executor.check(executor.initial()) == "sat"
    executor.release([0])
