"""CrossHair behind the protocol: what a path is, how it ends, what it leaves to explore, how it repeats."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from walks import Always, explore, first, of_class, of_text, two_ways

from untrod.symbolic.crosshair.executor import CrosshairExecutor
from untrod.symbolic.protocol import Branch, Condition, Location, State
from untrod.symbolic.ranges import above
from untrod.testing.subjects import triangle


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


def test_a_branch_says_where_it_stands_what_was_wanted_and_what_became_of_it():
    policy = Always(True)
    executor = CrosshairExecutor(two_ways)
    result = executor.advance(executor.initial(), policy, max_branches=10)

    (branch,) = result.branches
    assert branch.location.unit == "two_ways"
    assert branch.location.line == two_ways.__code__.co_firstlineno + 1
    assert branch.condition.ranges() == ("number", above(3))
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


SUMMARY = """
from walks import explore, of_list
results = explore(of_list, paths=15)
print([(result.status, result.inputs, result.stats.solver_units) for result in results])
"""


def test_a_whole_search_is_the_same_in_every_process_inputs_and_costs_included():
    here = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    command = [sys.executable, "-c", SUMMARY]
    once, again = (subprocess.check_output(command, text=True, env=here) for _ in range(2))

    assert "done" in once
    assert once == again


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


@functools.lru_cache
def decorated(number: int) -> str:
    return "large" if number > 3 else "small"


def test_the_code_behind_a_decorator_is_the_users():
    (branch,) = first(decorated).branches
    assert branch.location.unit == "decorated"
    assert branch.kind == "user"


def test_an_initial_state_is_feasible_and_nothing_has_to_be_released():
    executor = CrosshairExecutor(two_ways)
    assert executor.initial() == State(0, None, feasibility="sat")
    assert executor.check(executor.initial()) == "sat"
    executor.release([0])
