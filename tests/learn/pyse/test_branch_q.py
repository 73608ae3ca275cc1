from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from untrod.core.vocabulary import Json
from untrod.learn.pyse.branch_q import OWN, BranchQ, Cursor, Key, Sample, Settings
from untrod.learn.pyse.q_values import QValues


class Spy:
    """An approximator that notes what it is asked and given."""

    name = "spy"

    def __init__(self) -> None:
        self.asked: list[Key] = []
        self.fits: list[list[Sample]] = []
        self.noted = 0

    def values(self, key: Key) -> tuple[float, float]:
        self.asked.append(key)
        return 0.0, 0.0

    def note(self, key: Key, action: bool, target: float, moments: int) -> bool:
        self.noted += moments
        return False

    def fit(self, samples: Sequence[Sample]) -> None:
        self.fits.append(list(samples))

    def state(self) -> Json:
        return None

    def load(self, state: Json) -> None:
        pass


def walked(*steps: tuple[int, bool], history: int = 2) -> Cursor:
    cursor = Cursor(history)
    for site, action in steps:
        cursor.push(site, action)
    return cursor


def test_a_state_is_the_site_and_the_last_steps_the_latest_first() -> None:
    cursor = walked((1, True), (2, False), (3, True))
    assert cursor.key(5)[0] == 5
    assert cursor.key(5)[OWN:] == (2 * 3 + 1, 2 * 2 + 0)


def test_a_state_knows_how_this_branch_went_and_how_often_in_a_row() -> None:
    record = slice(1, OWN)
    never, longer, as_long, shorter = 0, 2, 1, 0
    assert walked((1, True)).key(5)[record] == (never, 0, 0)
    assert walked((5, True), (1, False), (5, True)).key(5)[record] == (2, longer, 2)
    twice = ((5, True), (5, True), (5, False))
    assert walked(*twice).key(5)[record] == (1, longer, 1)
    assert walked(*twice, (5, True)).key(5)[record] == (2, shorter, 1)
    assert walked(*twice, (5, True), (5, True)).key(5)[record] == (2, as_long, 2)


def test_on_a_tie_true_is_taken() -> None:
    assert BranchQ(1, Spy()).greedy((0,)) is True


def test_a_value_is_worked_out_once_between_two_passes() -> None:
    spy = Spy()
    q = BranchQ(1, spy)
    q.values((1, 2))
    q.values((1, 2))
    assert spy.asked == [(1, 2)]
    q.remember((1, 2), True, 0.0)
    q.learn()
    q.values((1, 2))
    assert spy.asked == [(1, 2), (1, 2)]


@pytest.mark.parametrize(
    ("sides", "infeasible", "targets"),
    [
        ((10, 17), (False, False), [-3.0, 0.0]),  # False stays 7 behind: log2(1 + 7)
        ((5, 5), (False, False), [0.0, 0.0]),
        ((5, None), (False, False), [0.0, None]),
        ((5, None), (False, True), [0.0, -20.0]),
        ((0, 10**9), (False, False), [-20.0, 0.0]),
    ],
)
def test_the_target_of_a_side_is_how_far_it_stays_behind(
    sides: tuple[int | None, int | None], infeasible: tuple[bool, bool], targets: list[float | None]
) -> None:
    assert BranchQ(1, Spy()).targets(sides, infeasible) == targets


def test_the_same_experience_is_remembered_once_with_its_weight() -> None:
    spy = Spy()
    q = BranchQ(1, spy)
    q.remember((1,), True, 0.0)
    q.remember((1,), True, 0.0, 3)
    q.learn()
    assert spy.fits == [[((1,), True, 0.0, 4)]]


def test_what_is_taken_back_is_no_longer_learned() -> None:
    spy = Spy()
    q = BranchQ(1, spy)
    q.remember((1,), True, 0.0, 2)
    q.remember((2,), True, 0.0)
    q.remember((1,), True, 0.0, -2)
    q.learn()
    assert spy.fits == [[((2,), True, 0.0, 1)]]


def test_the_memory_is_bounded_and_the_oldest_go() -> None:
    spy = Spy()
    q = BranchQ(1, spy, Settings(memory=3))
    for site in range(5):
        q.remember((site,), True, 0.0)
    q.learn()
    assert {key for key, *_ in spy.fits[0]} == {(2,), (3,), (4,)}
    assert spy.noted == 3, "an approximator that keeps sums is told of what goes, too"


def test_a_pass_waits_until_there_is_enough_that_is_new() -> None:
    spy = Spy()
    q = BranchQ(1, spy, Settings(fresh=0.5))
    for site in range(10):
        q.remember((site,), True, 0.0)
    assert q.learn()
    q.remember((99,), True, 0.0)
    assert not q.learn()
    for site in range(100, 120):
        q.remember((site,), True, 0.0)
    assert q.learn()
    assert not q.learn(), "there is nothing new at all"


def test_at_the_end_of_a_lesson_there_are_several_passes() -> None:
    spy = Spy()
    q = BranchQ(1, spy, Settings(fresh=0.5, passes=3))
    for site in range(10):
        q.remember((site,), True, 0.0)
    q.consolidate()
    assert len(spy.fits) == 3
    q.consolidate()
    assert len(spy.fits) == 3, "nothing is new"


def test_each_pass_has_another_order_and_the_seed_decides_it() -> None:
    def orders(seed: int) -> list[list[Key]]:
        spy = Spy()
        q = BranchQ(seed, spy, Settings(passes=2))
        for site in range(20):
            q.remember((site,), True, 0.0)
        q.consolidate()
        return [[key for key, *_ in fit] for fit in spy.fits]

    first, second = orders(1)
    assert first != sorted(first)
    assert second[:5] != first[:5]
    assert orders(1) == [first, second]
    assert orders(2) != [first, second]


def test_what_was_never_remembered_cannot_be_taken_back() -> None:
    spy = Spy()
    q = BranchQ(1, spy)
    q.remember((1,), True, 0.0, -3)
    assert spy.noted == 0
    assert not q.learn()


def test_learning_goes_on_bit_for_bit_after_a_restart() -> None:
    q = BranchQ(1, QValues())
    for site in range(30):
        q.remember((site % 7, 1, 0, 1, site), site % 2 == 0, -float(site % 5))
    q.learn()
    q.remember((50, 0, 0, 0, 3), True, -1.0)
    twin = BranchQ(2, QValues())
    twin.load(json.loads(json.dumps(q.state())))
    assert twin.state() == q.state()
    for learner in (q, twin):
        learner.consolidate()
    assert twin.state() == q.state()


def test_what_another_approximator_learned_is_refused() -> None:
    with pytest.raises(ValueError, match="learned by spy"):
        BranchQ(1, QValues()).load(BranchQ(1, Spy()).state())
