from __future__ import annotations

from typing import Any

from untrod.engines.worst.policies.rules import SpfWca, WorstPaths, rule_of

T, F = True, False


def test_a_size_that_was_searched_is_practised_in_full(sorting: Any, practise: Any) -> None:
    """What the rule left out in the search is walked in the lesson."""
    policy = SpfWca(1)
    practise(policy, sorting, 4)
    while policy.step(sorting(4)) is not None:
        pass
    policy.grow(4, lesson=True)
    walked = 0
    while policy.step(sorting(4)) is not None:
        walked += 1
    assert walked == 24


def test_the_branches_before_tell_what_the_site_alone_cannot(alternating: Any, practise: Any) -> None:
    policy = SpfWca(1)
    practise(policy, alternating, 7)
    attempt = policy.step(alternating(7))
    assert attempt is not None
    assert attempt.cost == alternating(7).worst()
    assert policy.history > 0
    assert policy.step(alternating(7)) is None


def test_where_the_site_says_it_all_no_history_is_used(sorting: Any, practise: Any) -> None:
    policy = SpfWca(1)
    practise(policy, sorting, 6)
    assert policy.history == 0
    attempt = policy.step(sorting(6))
    assert attempt is not None
    assert attempt.cost == 15


def test_among_equally_bad_paths_the_consistent_one_is_the_example() -> None:
    mixed, steady = (((0,), T), ((0,), F)), (((0,), F), ((0,), F))
    assert rule_of([WorstPaths(3, (mixed, steady))], 0) == (0, {(0,): False})


def test_a_smaller_size_may_object() -> None:
    small, large = WorstPaths(2, ((((0,), T),),)), WorstPaths(3, ((((0,), F),),))
    assert rule_of([small, large], 0) == (1, {(0,): None})


def test_a_context_never_met_is_open() -> None:
    policy = SpfWca(1)
    assert policy.want((3, 1, 4)) is None
