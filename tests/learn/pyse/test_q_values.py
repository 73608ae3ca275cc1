from __future__ import annotations

import json

import pytest

from untrod.learn.pyse.branch_q import BranchQ, Key
from untrod.learn.pyse.q_values import QValues


def state(*steps: int, site: int = 1, way: int = 0, compared: int = 0, run: int = 0) -> Key:
    return (site, way, compared, run, *steps)


def test_nothing_is_known_at_first() -> None:
    assert QValues().values(state(3, 1, 4)) == (0.0, 0.0)


def test_a_state_has_about_the_mean_of_its_targets() -> None:
    q = QValues()
    q.note(state(), True, -2.0, 100)
    q.note(state(), True, -4.0, 300)
    q.note(state(), False, 0.0, 1)
    false, true = q.values(state())
    assert true == pytest.approx(-3.5, abs=0.1)
    assert false == 0.0


def test_a_state_never_met_is_judged_by_the_longest_context_that_was() -> None:
    q = QValues()
    q.note(state(2, 5), True, -8.0, 50)
    q.note(state(3, 5), True, 0.0, 50)
    assert q.values(state(2, 9))[1] < -6
    assert q.values(state(3, 9))[1] > -2
    assert -5 < q.values(state(9, 9))[1] < -3, "only the site is known: between the two"


def test_a_branch_may_count_how_often_it_went_one_way() -> None:
    """Nine times True, then False: the steps before look the same each time, the record does not."""
    q = QValues()
    for run in range(1, 10):
        key = state(3, 3, 3, way=2, compared=2, run=run)
        q.note(key, True, 0.0 if run < 9 else -6.0, 20)
        q.note(key, False, -3.0 if run < 9 else 0.0, 20)

    def goes_on(run: int) -> bool:
        false, true = q.values(state(3, 3, 3, way=2, compared=2, run=run))
        return true > false

    assert [goes_on(run) for run in range(1, 10)] == [True] * 8 + [False]


def test_what_is_taken_back_leaves_no_trace() -> None:
    q = QValues()
    q.note(state(2), True, -10.0, 3)
    q.note(state(2), True, -10.0, -3)
    assert q.values(state(2)) == (0.0, 0.0)


def test_the_memory_is_all_that_has_to_be_kept() -> None:
    learner, twin = BranchQ(1, QValues()), BranchQ(2, QValues())
    for number in range(50):
        key = state(number % 3, number % 5, way=1, run=number % 4)
        learner.remember(key, number % 2 == 0, -0.1 * number)
    twin.load(json.loads(json.dumps(learner.state())))
    for number in range(15):
        key = state(number % 3, number % 5, way=1, run=number % 4)
        assert twin.values(key) == learner.values(key)


def test_a_table_with_a_state_of_its_own_is_refused() -> None:
    with pytest.raises(ValueError, match="no state"):
        QValues().load([1])
