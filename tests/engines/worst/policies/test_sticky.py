from __future__ import annotations

import json
from random import Random

from untrod.engines.worst.policies.sticky import StickyExploration, sticky_side

FALSE, TRUE = 1, 2


def test_a_sticky_side_without_a_number_is_for_always() -> None:
    assert sticky_side((True, 0), (5, TRUE, 0, 99)) is True
    assert sticky_side((False, 0), (5, TRUE, 0, 99)) is False


def test_a_sticky_side_with_a_number_gives_the_other_side_its_turn() -> None:
    assert [sticky_side((True, 3), (5, TRUE, 0, run)) for run in (1, 2, 3)] == [True, True, False]
    assert sticky_side((True, 3), (5, FALSE, 0, 1)) is True
    assert sticky_side((True, 3), (5, 0, 0, 0)) is True, "nothing has happened yet"


def test_the_simplest_come_first_and_once() -> None:
    sticky, rng = StickyExploration(), Random(1)
    first = [sticky.draw(2, rng) for _ in range(6)]
    assert first[0] == {0: (True, 0), 1: (True, 0)}
    assert first[1] == {0: (False, 0), 1: (False, 0)}
    assert sorted(map(str, first[2:])) == [
        "{0: (False, 0)}",
        "{0: (True, 0)}",
        "{1: (False, 0)}",
        "{1: (True, 0)}",
    ]
    assert {2: (True, 0)} in [sticky.draw(3, rng) for _ in range(4)], "a branch that turned up later"


def test_what_paid_is_varied() -> None:
    sticky, rng = StickyExploration(), Random(1)
    sticky.note({3: (True, 9)}, 100, [])
    drawn = [sticky.draw(5, rng) for _ in range(200)]
    assert sum(3 in rule and rule[3][1] in (8, 10) for rule in drawn) > 5


def test_what_was_good_is_tried_again_at_the_next_size_best_first() -> None:
    sticky, rng = StickyExploration(), Random(1)
    sticky.note({1: (True, 0)}, 10, [])
    sticky.note({2: (True, 0)}, 30, [])
    sticky.grow()
    assert sticky.draw(5, rng) == {2: (True, 0)}
    assert sticky.draw(5, rng) == {1: (True, 0)}


def test_only_the_best_are_kept() -> None:
    sticky, rng = StickyExploration(), Random(1)
    for cost in range(50):
        sticky.note({cost: (True, 0)}, cost, [])
    sticky.grow()
    assert sticky.draw(5, rng) == {49: (True, 0)}
    assert len(json.dumps(sticky.state())) < 500


def test_rules_survive() -> None:
    sticky, twin = StickyExploration(), StickyExploration()
    sticky.note({1: (True, 4), 2: (False, 0)}, 10, [])
    sticky.grow()
    sticky.note({3: (True, 4)}, 10, [])
    twin.load(json.loads(json.dumps(sticky.state())))
    assert [twin.draw(9, Random(5)) for _ in range(9)] == [sticky.draw(9, Random(5)) for _ in range(9)]


def test_a_branch_that_was_not_met_before_is_tried_both_ways_in_the_same_company() -> None:
    sticky, rng = StickyExploration(), Random(1)
    sticky.note({}, 50, [0, 1])
    sticky.note({0: (True, 0)}, 5, [0, 1, 2])
    assert sticky.draw(3, rng) == {0: (True, 0), 2: (False, 0)}
    assert sticky.draw(3, rng) == {0: (True, 0), 2: (True, 0)}
