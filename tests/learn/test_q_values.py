from __future__ import annotations

import json

import pytest

from untrod.learn.q_values import QValues


def test_nothing_is_known_at_first() -> None:
    assert QValues().values((3, 1, 4)) == (0.0, 0.0)


def test_a_state_has_the_mean_of_its_targets() -> None:
    q = QValues(inertia=0.0)
    q.fit([((1,), True, -2.0, 1), ((1,), True, -4.0, 3), ((1,), False, 0.0, 1)])
    assert q.values((1,)) == (0.0, -3.5)


def test_a_state_never_met_is_judged_by_the_longest_context_that_was() -> None:
    q = QValues()
    q.fit([((1, 2, 5), True, -8.0, 50), ((1, 3, 5), True, 0.0, 50)])
    assert q.values((1, 2, 9))[1] < -7
    assert q.values((1, 3, 9))[1] > -1
    assert -5 < q.values((1, 9, 9))[1] < -3, "only the site is known: between the two"


def test_a_long_context_overrules_a_short_one_with_time() -> None:
    q = QValues()
    q.fit([((1, 2), True, -10.0, 5), ((1, 3), True, 0.0, 1000)])
    assert q.values((1, 2))[1] < -8


def test_a_pass_replaces_what_the_last_one_said() -> None:
    q = QValues()
    q.fit([((1,), True, -10.0, 1)])
    q.fit([((2,), True, -10.0, 1)])
    assert q.values((1,)) == (0.0, 0.0)


def test_values_survive() -> None:
    q, twin = QValues(), QValues()
    q.fit([((1, 2, 5), True, -8.0, 2), ((1, 3), False, -0.1, 7)])
    twin.load(json.loads(json.dumps(q.state())))
    assert twin.state() == q.state()
    assert twin.values((1, 3)) == q.values((1, 3))


def test_a_damaged_table_is_refused() -> None:
    with pytest.raises(ValueError, match="four numbers"):
        QValues().load([[[1], 1.0, 2.0]])
