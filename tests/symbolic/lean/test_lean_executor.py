"""The lean engine keeps the protocol."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from untrod.symbolic.lean.executor import LeanExecutor
from untrod.symbolic.lean.solver import Solver
from untrod.symbolic.shapes import Arguments
from untrod.testing import executors as conformance
from untrod.testing import subjects


@pytest.mark.parametrize("check", conformance.CHECKS, ids=lambda check: check.__name__)
def test_the_engine_keeps_the_protocol(check: Callable[[conformance.Make], None]) -> None:
    check(LeanExecutor)


def test_two_processes_find_the_same_inputs() -> None:
    engine = "untrod.symbolic.lean.executor:LeanExecutor"
    story = conformance.fresh_story(engine)
    assert "done" in story
    assert story == conformance.fresh_story(engine)


def test_unknown_is_kept_apart() -> None:
    def starved(function: Callable[..., Any], arguments: Arguments) -> LeanExecutor:
        return LeanExecutor(function, arguments, rlimit=1)

    conformance.unknown_is_kept_apart(starved)


def stubborn(monkeypatch: pytest.MonkeyPatch, *sides: bool) -> None:
    """A solver that gives up on these sides of the first branch."""
    check = Solver.check

    def giving_up(solver: Solver, path: Any, last: Any = None, deadline: Any = None) -> Any:
        return "unknown" if not path and last and last[1] in sides else check(solver, path, last, deadline)

    monkeypatch.setattr(Solver, "check", giving_up)


def test_where_the_solver_gives_up_on_one_side_the_other_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    stubborn(monkeypatch, True)
    executor, policy = LeanExecutor(subjects.contradiction, conformance.NUMBER), conformance.Always(True)
    result = executor.advance(executor.initial(), policy, max_branches=100)
    assert (result.status, result.value) == ("done", "small")
    (branch,) = result.branches
    assert (branch.wanted, branch.taken, branch.other) == (True, False, "unknown")
    assert policy.told == []  # it was not infeasible
    assert result.pending == ()


def test_where_the_solver_gives_up_on_both_sides_the_path_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    stubborn(monkeypatch, True, False)
    executor = LeanExecutor(subjects.contradiction, conformance.NUMBER)
    result = executor.advance(executor.initial(), conformance.Always(True), max_branches=100)
    assert (result.status, result.branches, result.inputs) == ("unknown", (), None)
    assert "both sides" in result.reason
