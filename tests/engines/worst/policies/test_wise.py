from __future__ import annotations

from typing import Any

from untrod.engines.worst.policies.rules import Wise


def test_one_path_is_enough_where_a_branch_always_goes_the_same_way(sorting: Any, practise: Any) -> None:
    policy = Wise(1)
    practise(policy, sorting, 6)
    attempt = policy.step(sorting(6))
    assert attempt is not None
    assert attempt.cost == 15
    assert attempt.by == "wise"
    assert policy.step(sorting(6)) is None, "the rule leaves no other path"


def test_where_no_side_is_always_right_both_are_tried(alternating: Any, practise: Any) -> None:
    policy = Wise(1)
    practise(policy, alternating, 7)
    costs = []
    while (attempt := policy.step(alternating(7))) is not None:
        costs.append(attempt.cost)
    assert max(costs) == alternating(7).worst()
    assert len(costs) > 20


def test_practice_ends_at_the_first_size_that_is_too_large(sorting: Any, practise: Any) -> None:
    policy = Wise(1)
    practise(policy, sorting, 8)
    assert policy.lessons(9) == (), "of size 6 only 400 of 720 paths were run, so 7 was not begun"


def test_what_was_practised_is_not_practised_again(sorting: Any, practise: Any) -> None:
    policy = Wise(1)
    practise(policy, sorting, 4)
    assert [lesson.size for lesson in policy.lessons(6)] == [4, 5]
