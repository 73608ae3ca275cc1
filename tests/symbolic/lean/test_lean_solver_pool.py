"""Solvers that nobody uses give their memory back, and running out of it is an answer, not an end."""

from __future__ import annotations

import pytest
import z3

from untrod.symbolic.lean import solver_pool
from untrod.symbolic.lean.executor import LeanExecutor
from untrod.symbolic.lean.session import Session
from untrod.symbolic.protocol import PathResult
from untrod.symbolic.shapes import Arguments, Int


def steep(a: int, b: int) -> int:
    if a > 10:
        return 1 if b * 3 > a else 2
    return 3


class Always:
    def decide(self, location, condition, history) -> bool:
        return True

    def feedback(self, branch, feasible) -> None: ...


def executor() -> LeanExecutor:
    return LeanExecutor(steep, Arguments((Int(), Int())))


def walk(one: LeanExecutor) -> PathResult:
    return one.advance(one.initial(), Always(), max_branches=50)


def test_however_many_executors_are_in_use_few_have_a_solver() -> None:
    """A context takes 16 MB: one for each template of a campaign was more than a worker may have."""
    executors = [executor() for _ in range(3 * solver_pool.MOST)]
    paths = [walk(one) for one in executors]
    sessions = [one for one in executors if len(one._memory.solver)]
    assert 0 < len(sessions) <= solver_pool.MOST
    assert {path.value for path in paths} == {1}


def test_a_solver_that_was_released_goes_on_where_it_was() -> None:
    first = executor()
    states = walk(first).pending
    solved = [first.solve(state) for state in states]
    first._memory.release()
    assert not len(first._memory.solver)
    assert [steep(*first.solve(state)) for state in states] == [steep(*inputs) for inputs in solved]
    assert {first.advance(state, Always(), max_branches=50).value for state in states} == {2, 3}


def test_units_are_counted_on_over_a_release() -> None:
    one = executor()
    walk(one)
    before = one._memory.solver.units()
    one._memory.release()
    assert one._memory.solver.units() == before > 0


@pytest.mark.parametrize("error", [z3.Z3Exception(b"out of memory"), MemoryError()])
def test_running_out_of_memory_is_not_knowing(monkeypatch, error: BaseException) -> None:
    one = executor()

    def check(*_) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(Session, "check", check)
        path = walk(one)
    assert path.status == "unknown"
    assert path.stats.outages > 0
    again = walk(one)
    assert (again.status, again.value, again.stats.outages) == ("done", 1, 0)


def test_another_mistake_of_the_solver_is_not_hidden(monkeypatch) -> None:
    def check(*_) -> None:
        raise z3.Z3Exception(b"invalid argument")

    monkeypatch.setattr(Session, "check", check)
    one = executor()
    with pytest.raises(z3.Z3Exception, match="invalid argument"):
        one.check(one.initial())


def test_solvers_rest_when_z3_holds_much_memory(monkeypatch) -> None:
    first, second = executor(), executor()
    walk(first)
    monkeypatch.setattr(solver_pool, "SHARE", 0.0)
    walk(second)
    assert not len(first._memory.solver)
