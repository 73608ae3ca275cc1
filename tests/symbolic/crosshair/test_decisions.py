"""The decisions of a path, with a solver that says what the test wants to hear."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import z3

from untrod.symbolic.crosshair.condition import CrosshairCondition
from untrod.symbolic.crosshair.decisions import Decisions, Stop
from untrod.symbolic.crosshair.origins import Origin
from untrod.symbolic.protocol import Branch, Condition, Feasibility, Location

HERE = Origin(Location("f", 1, 0), True)
X = z3.Int("x")


class Wants:
    def __init__(self, answer: bool) -> None:
        self.answer = answer
        self.asked = 0
        self.told: list[bool] = []

    def decide(self, location: Location, condition: Condition, history: Sequence[Branch]) -> bool:
        self.asked += 1
        return self.answer

    def feedback(self, branch: Branch, feasible: bool) -> None:
        self.told.append(feasible)


def made(policy: Wants, answers: dict[bool, Feasibility], **options: Any) -> Decisions:
    return Decisions(policy, lambda condition, side: answers[side], **{"max_branches": 10, **options})


def take(
    decisions: Decisions, expression: Any = X > 3, kind: Any = "user", hint: float | None = None
) -> bool:
    return decisions.take(CrosshairCondition(expression), HERE, kind, hint)


@pytest.mark.parametrize(
    ("wanted", "other", "taken", "known", "told"),
    [
        ("sat", "sat", True, "unchecked", [True]),
        ("unsat", "sat", False, "unsat", [False]),
        ("unknown", "sat", False, "unknown", []),
        ("unknown", "unsat", True, "unsat", []),
    ],
)
def test_what_is_taken_and_what_is_known_of_the_other_side(wanted, other, taken, known, told):
    policy = Wants(True)
    decisions = made(policy, {True: wanted, False: other})

    assert take(decisions) is taken
    assert decisions.branches[0].other == known
    assert policy.told == told


def test_two_unknown_sides_end_the_path():
    with pytest.raises(Stop) as stopped:
        take(made(Wants(True), {True: "unknown", False: "unknown"}))
    assert stopped.value.status == "unknown"


@pytest.mark.parametrize(
    ("hint", "asked", "taken"),
    [(None, 1, True), (0.5, 1, True), (0.33, 1, True), (0.02, 0, False), (0.98, 0, True), (0.0, 0, False)],
)
def test_the_policy_is_asked_where_crosshair_has_no_firm_opinion(hint, asked, taken):
    policy = Wants(True)
    decisions = made(policy, {True: "sat", False: "sat"})

    assert take(decisions, kind="internal", hint=hint) is taken
    assert policy.asked == asked


def test_a_side_that_crosshair_would_only_ignore_leaves_no_sibling():
    decisions = made(Wants(True), {True: "sat", False: "sat"})
    take(decisions, kind="internal", hint=1.0)
    take(decisions, X > 4, kind="internal", hint=0.9)

    assert [branch.other for branch in decisions.branches] == ["unsat", "unchecked"]


def test_a_prefix_is_repeated_without_asking_and_only_its_last_decision_is_solved():
    before = made(Wants(False), {True: "sat", False: "sat"})
    take(before)
    take(before, X > 4)
    solved = []

    def solve(condition: CrosshairCondition, side: bool) -> Feasibility:
        solved.append(condition.smt2())
        return "sat"

    policy = Wants(True)
    again = Decisions(policy, solve, before.branches, max_branches=10)
    assert (take(again), take(again, X > 4)) == (False, False)
    assert policy.asked == 0
    assert solved == ["(> x 4)"]
    assert again.complete


def test_another_question_than_before_is_a_divergence():
    before = made(Wants(False), {True: "sat", False: "sat"})
    take(before)
    again = made(Wants(False), {True: "sat", False: "sat"}, prefix=before.branches)

    with pytest.raises(Stop, match=r"decision 1 was \(> x 3\) in f, line 1, and \(> x 4\) in f") as stopped:
        take(again, X > 4)
    assert stopped.value.status == "diverged"


def test_once_stopped_every_question_stops_again():
    decisions = made(Wants(True), {True: "sat", False: "sat"}, max_branches=1)
    take(decisions)
    for _ in range(2):
        with pytest.raises(Stop, match="more than 1 branches"):
            take(decisions, X > 4)
    assert len(decisions.branches) == 1


def test_a_loop_on_a_settled_condition_meets_the_limit_too():
    decisions = made(Wants(True), {True: "sat", False: "sat"}, max_branches=2)
    take(decisions)
    decisions.certain(CrosshairCondition(X > 3), HERE, True)
    with pytest.raises(Stop):
        decisions.certain(CrosshairCondition(X > 3), HERE, True)
