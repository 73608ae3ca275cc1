from __future__ import annotations

import json
from random import Random

from untrod.engines.worst.policies.whims import Whims, obey

FALSE, TRUE = 1, 2


def test_a_habit_without_a_number_is_for_always() -> None:
    assert obey((True, 0), (5, TRUE, 0, 99)) is True
    assert obey((False, 0), (5, TRUE, 0, 99)) is False


def test_a_habit_with_a_number_gives_the_other_side_its_turn() -> None:
    assert [obey((True, 3), (5, TRUE, 0, run)) for run in (1, 2, 3)] == [True, True, False]
    assert obey((True, 3), (5, FALSE, 0, 1)) is True
    assert obey((True, 3), (5, 0, 0, 0)) is True, "nothing has happened yet"


def test_the_simplest_come_first_and_once() -> None:
    whims, rng = Whims(), Random(1)
    first = [whims.draw(2, rng) for _ in range(6)]
    assert first[0] == {0: (True, 0), 1: (True, 0)}
    assert first[1] == {0: (False, 0), 1: (False, 0)}
    assert sorted(map(str, first[2:])) == [
        "{0: (False, 0)}",
        "{0: (True, 0)}",
        "{1: (False, 0)}",
        "{1: (True, 0)}",
    ]
    assert {2: (True, 0)} in [whims.draw(3, rng) for _ in range(4)], "a branch that turned up later"


def test_what_paid_is_varied() -> None:
    whims, rng = Whims(), Random(1)
    whims.note({3: (True, 9)}, 100, [])
    drawn = [whims.draw(5, rng) for _ in range(200)]
    assert sum(3 in whim and whim[3][1] in (8, 10) for whim in drawn) > 5


def test_what_was_good_is_tried_again_at_the_next_size_best_first() -> None:
    whims, rng = Whims(), Random(1)
    whims.note({1: (True, 0)}, 10, [])
    whims.note({2: (True, 0)}, 30, [])
    whims.grow()
    assert whims.draw(5, rng) == {2: (True, 0)}
    assert whims.draw(5, rng) == {1: (True, 0)}


def test_only_the_best_are_kept() -> None:
    whims, rng = Whims(), Random(1)
    for cost in range(50):
        whims.note({cost: (True, 0)}, cost, [])
    whims.grow()
    assert whims.draw(5, rng) == {49: (True, 0)}
    assert len(json.dumps(whims.state())) < 500


def test_whims_survive() -> None:
    whims, twin = Whims(), Whims()
    whims.note({1: (True, 4), 2: (False, 0)}, 10, [])
    whims.grow()
    whims.note({3: (True, 4)}, 10, [])
    twin.load(json.loads(json.dumps(whims.state())))
    assert [twin.draw(9, Random(5)) for _ in range(9)] == [whims.draw(9, Random(5)) for _ in range(9)]


def test_a_branch_that_was_not_met_before_is_tried_both_ways_in_the_same_company() -> None:
    whims, rng = Whims(), Random(1)
    whims.note({}, 50, [0, 1])
    whims.note({0: (True, 0)}, 5, [0, 1, 2])
    assert whims.draw(3, rng) == {0: (True, 0), 2: (False, 0)}
    assert whims.draw(3, rng) == {0: (True, 0), 2: (True, 0)}
