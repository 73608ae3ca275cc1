"""What every symbolic executor must do, whichever engine is inside.

@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_engine_keeps_the_protocol(check):
    check(make)            # make(function, arguments) -> SymbolicExecutor
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from untrod.core.validity import Rejected
from untrod.runtime import launch
from untrod.symbolic.concrete import disagreement, run
from untrod.symbolic.protocol import Branch, Condition, Enough, Location, PathResult, SymbolicExecutor
from untrod.symbolic.ranges import below
from untrod.symbolic.shapes import Arguments, Bool, Int, List, Text
from untrod.testing import subjects

Make = Callable[[Callable[..., Any], Arguments], SymbolicExecutor]
NUMBER = Arguments((Int(),))


def check_executor(make: Make) -> None:
    """`make(function, arguments)` gives a new executor. All checks, one after the other."""
    for check in CHECKS:
        check(make)


class Always:
    """A policy that wants one side, and remembers what it was told."""

    def __init__(self, side: bool = True) -> None:
        self.side = side
        self.told: list[tuple[Branch, bool]] = []

    def decide(self, location: Location, condition: Condition, history: Sequence[Branch]) -> bool:
        return self.side

    def feedback(self, branch: Branch, feasible: bool) -> None:
        self.told.append((branch, feasible))


def explore(executor: SymbolicExecutor, side: bool = True, most: int = 2000) -> list[PathResult]:
    """All paths, depth first; the infeasible ones, too."""
    frontier = [executor.initial()]
    results: list[PathResult] = []
    while frontier:
        assert len(results) < most, "does not come to an end"
        results.append(executor.advance(frontier.pop(), Always(side), max_branches=1000))
        frontier.extend(results[-1].pending)
    return results


def fresh_story(engine: str) -> str:
    """The inputs that `module:class` finds for a triangle, in a process of its own, as a worker is one."""
    module, _, name = engine.partition(":")
    lines = (
        "from untrod.testing import executors, subjects",
        f"from {module} import {name} as make",
        "from untrod.symbolic.shapes import Arguments, Int",
        "found = executors.explore(make(subjects.triangle, Arguments((Int(), Int(), Int()))), False)",
        "print([(path.status, path.inputs) for path in found])",
    )
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-c", "\n".join(lines)]
    done = launch.run(command, env=environment, stdout=subprocess.PIPE, text=True)
    done.check_returncode()
    return str(done.stdout)


def ended(results: list[PathResult]) -> list[PathResult]:
    return [result for result in results if result.status in ("done", "raised", "ignored")]


def user_path(result: PathResult) -> tuple[bool, ...]:
    return tuple(branch.taken for branch in result.branches if branch.kind == "user")


def confirmed(function: Callable[..., Any], results: list[PathResult]) -> None:
    for result in ended(results):
        assert disagreement(function, result) == "", result.inputs


def every_path_is_found(make: Make) -> None:
    shape = Arguments((List(Int(), 4),))
    for side in (True, False):
        results = explore(make(subjects.insertion_sort, shape), side)
        assert len({user_path(result) for result in ended(results)}) == 24
        assert all(result.value == sorted(result.inputs[0]) for result in ended(results) if result.inputs)
        confirmed(subjects.insertion_sort, results)


def every_outcome_is_found(make: Make) -> None:
    results = explore(make(subjects.triangle, Arguments((Int(), Int(), Int()))))
    assert {result.value for result in ended(results)} == {
        "none",
        "flat",
        "equilateral",
        "isosceles",
        "scalene",
    }
    confirmed(subjects.triangle, results)


def text_is_symbolic(make: Make) -> None:
    results = explore(make(subjects.three_letters, Arguments((Text(3),))))
    assert {result.value for result in ended(results)} == {"ab", "a", "digit", "other"}
    confirmed(subjects.three_letters, results)


def flags_are_symbolic(make: Make) -> None:
    results = explore(make(subjects.flags, Arguments((Bool(), Bool()))))
    assert {result.inputs: result.value for result in ended(results)} == {
        (True, True): "LR",
        (True, False): "Lr",
        (False, True): "lR",
        (False, False): "lr",
    }


def values_are_made_concrete_by_decisions(make: Make) -> None:
    results = explore(make(subjects.counts_to, Arguments((Int(0, 3),))))
    assert {result.value for result in ended(results)} == {0, 1, 2, 3}
    confirmed(subjects.counts_to, results)


def the_same_again(make: Make) -> None:
    """Two executors that are asked the same walk the same paths.

    Which of several inputs stands for a path hangs on everything that this process has asked Z3 before, so
    inputs are compared between processes: see `fresh_story`.
    """

    def story() -> list[Any]:
        results = explore(make(subjects.triangle, Arguments((Int(), Int(), Int()))), False)
        return [(result.status, user_path(result)) for result in results]

    assert story() == story()


def infeasible_sides_are_told(make: Make) -> None:
    executor, policy = make(subjects.contradiction, NUMBER), Always(True)
    result = executor.advance(executor.initial(), policy, max_branches=100)
    assert result.value == "big"
    assert [branch.taken for branch in result.branches if branch.kind == "user"] == [True, False]
    last = result.branches[-1]
    assert (last.wanted, last.taken, last.other) == (True, False, "unsat")
    assert [feasible for branch, feasible in policy.told if branch.kind == "user"] == [True, False]
    assert not [state for state in result.pending if state.depth == len(result.branches)]


def siblings_are_left_unchecked(make: Make) -> None:
    executor = make(subjects.contradiction, NUMBER)
    result = executor.advance(executor.initial(), Always(False), max_branches=100)
    assert result.value == "small"
    assert {state.feasibility for state in result.pending} == {"unchecked"}
    big = executor.advance(result.pending[-1], Always(False), max_branches=100)
    assert big.value == "big"
    (impossible,) = [
        state for state in big.pending if state.location and "contradiction" in state.location.unit
    ]
    assert executor.check(impossible) == "unsat"
    assert executor.solve(impossible) is None
    assert executor.advance(impossible, Always(), max_branches=100).status == "infeasible"


def a_state_can_be_solved_without_running_it(make: Make) -> None:
    executor = make(subjects.contradiction, NUMBER)
    result = executor.advance(executor.initial(), Always(False), max_branches=100)
    state = result.pending[-1]
    assert executor.check(state) == "sat"
    inputs = executor.solve(state)
    assert inputs is not None
    assert run(subjects.contradiction, inputs).value == "big"
    executor.release([state.id])


def a_question_asked_twice_has_one_sibling(make: Make) -> None:
    results = explore(make(subjects.asks_twice, NUMBER))
    assert {result.value for result in ended(results)} == {0, 3}
    assert len(ended(results)) == 2
    assert [len(user_path(result)) for result in ended(results)] == [1, 1]


def nothing_escapes(make: Make) -> None:
    results = explore(make(subjects.raises, NUMBER))
    errors = {type(result.error): result for result in ended(results) if result.error is not None}
    assert set(errors) == {KeyError, SystemExit, RecursionError, Rejected}
    assert errors[Rejected].status == "ignored"
    assert errors[KeyError].status == errors[SystemExit].status == "raised"
    assert errors[KeyError].inputs == (17,)
    confirmed(subjects.raises, results)


def too_many_branches_are_cut(make: Make) -> None:
    executor = make(subjects.endless, NUMBER)
    result = executor.advance(executor.initial(), Always(True), max_branches=10)
    assert result.status == "limit"
    assert len(result.branches) == 10


def a_policy_may_break_a_path_off(make: Make) -> None:
    class Tiring(Always):
        def decide(self, location: Location, condition: Condition, history: Sequence[Branch]) -> bool:
            if len(history) >= 4:
                raise Enough("tired")
            return super().decide(location, condition, history)

    executor = make(subjects.endless, NUMBER)
    result = executor.advance(executor.initial(), Tiring(True), max_branches=10**9)
    assert (result.status, result.reason) == ("limit", "tired")
    assert 4 <= len(result.branches) <= 10
    assert result.inputs is not None, "the input that begins like this"


def the_deadline_holds(make: Make) -> None:
    executor = make(subjects.endless, NUMBER)
    result = executor.advance(
        executor.initial(), Always(True), max_branches=10**9, deadline=time.monotonic() - 1
    )
    assert result.status == "limit"


def non_determinism_is_named(make: Make) -> None:
    executor = make(subjects.remembers, NUMBER)
    first = executor.advance(executor.initial(), Always(True), max_branches=100)
    assert first.status == "done"
    second = executor.advance(first.pending[-1], Always(True), max_branches=100)
    assert second.status == "diverged"
    assert second.reason


def keys_tell_conditions_apart(make: Make) -> None:
    executor = make(subjects.triangle, Arguments((Int(), Int(), Int())))
    first = executor.advance(executor.initial(), Always(False), max_branches=100)
    again = executor.advance(executor.initial(), Always(False), max_branches=100)
    keys = [branch.condition.key for branch in first.branches]
    assert keys == [branch.condition.key for branch in again.branches]
    decided = [branch.condition.key for branch in first.branches if branch.kind == "user"]
    assert len(set(decided)) == len(decided)
    assert first.branches[0].condition.ranges() == ("x0", below(1))
    assert "x0" in first.branches[0].condition.smt2()


def unknown_is_kept_apart(make_starved: Make) -> None:
    """Of an executor whose solver gives up at once: nothing is called infeasible, and nothing exhausted."""
    executor, policy = make_starved(subjects.contradiction, NUMBER), Always(True)
    result = executor.advance(executor.initial(), policy, max_branches=100)
    assert result.status == "unknown" or any(branch.other == "unknown" for branch in result.branches)
    assert all(branch.other != "unsat" for branch in result.branches)
    assert all(feasible for _, feasible in policy.told)


CHECKS: list[Callable[[Make], None]] = [
    every_path_is_found,
    every_outcome_is_found,
    text_is_symbolic,
    flags_are_symbolic,
    values_are_made_concrete_by_decisions,
    the_same_again,
    infeasible_sides_are_told,
    siblings_are_left_unchecked,
    a_state_can_be_solved_without_running_it,
    a_question_asked_twice_has_one_sibling,
    nothing_escapes,
    too_many_branches_are_cut,
    a_policy_may_break_a_path_off,
    the_deadline_holds,
    non_determinism_is_named,
    keys_tell_conditions_apart,
]
