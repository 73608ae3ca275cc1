"""`auto` finds out whom to trust, and sleeps when there is nothing to learn."""

from __future__ import annotations

from hashlib import blake2b
from random import Random
from typing import Any

from untrod.core.vocabulary import Choice, Context, Episode, Outcome
from untrod.engines.inputs.target import Guide
from untrod.learn.bandits.portfolio import Portfolio


def test_it_learns_search_trees(trees: Any) -> None:
    assert len(trees.explore(Portfolio(1), trees.make, trees.valid, 2_000)) > 600


def test_it_asks_for_no_context_as_long_as_nothing_is_rejected(trees: Any) -> None:
    learner = Portfolio(2)
    trees.explore(learner, trees.make, lambda node: True, 200)
    assert not learner.awake
    assert len(learner.exonerate) == 0


def test_it_dozes_when_nothing_can_be_learned() -> None:
    learner, awake = Portfolio(3), 0
    seen: set[Any] = set()

    def by_hash(value: Any) -> bool:
        return blake2b(repr(value).encode(), digest_size=1).digest()[0] < 64

    guide = Guide(learner)
    for number in range(3_000):
        guide.begin()
        value = tuple(guide.choose(range(30)) for _ in range(6))
        valid = by_hash(value)
        outcome = Outcome.VALID if valid else Outcome.INVALID
        learner.learn(Episode(number, guide.answers, outcome=outcome, new=valid and value not in seen))
        seen.add(value)
        awake += number >= 1_500 and learner.awake
    assert awake < 600


def play(learner: Portfolio, episodes: int, awake_wins: float, asleep_wins: float) -> int:
    """How many of the last 500 episodes it is awake in; all but so many per thousand are rejected."""
    luck, awake = Random(5), 0
    guide = Guide(learner)
    for number in range(episodes):
        chance = awake_wins if learner.awake and learner.arm != "random" else asleep_wins
        guide.begin()
        guide.choose(range(30))
        valid = luck.random() < chance
        outcome = Outcome.VALID if valid else Outcome.INVALID
        learner.learn(Episode(number, guide.answers, outcome=outcome, new=valid))
        awake += number >= episodes - 500 and learner.awake
    return awake


def test_while_nothing_is_valid_it_stays_awake_but_not_for_ever() -> None:
    assert play(Portfolio(4), 1_500, 0.0, 0.0) == 500
    assert play(Portfolio(4), 7_000, 0.0, 0.0) < 250


def test_it_stays_awake_where_that_brings_more() -> None:
    assert play(Portfolio(6), 2_500, awake_wins=0.1, asleep_wins=0.01) > 400


def test_it_sleeps_where_being_awake_brings_no_more_and_still_tries_now_and_then() -> None:
    assert 0 < play(Portfolio(6), 4_000, awake_wins=0.02, asleep_wins=0.02) < 200


def test_it_wakes_again_when_things_have_changed() -> None:
    learner = Portfolio(7)
    assert play(learner, 3_000, awake_wins=0.02, asleep_wins=0.02) < 250
    assert play(learner, 6_000, awake_wins=0.4, asleep_wins=0.02) > 400


def test_whoever_is_shown_an_input_has_earned_nothing(trees: Any) -> None:
    learner = Portfolio(8)
    learner.rejected = 1
    learner.wake()
    for number in range(20):
        learner.observe(Choice(Context(), site="s", options=3), number % 3)
        learner.learn(Episode(number, [number % 3], new=True))
    assert sum(learner.wins.values()) == 0.0
    assert learner.exonerate.valid == 20


def test_for_a_target_with_draws_of_its_own_it_sleeps_while_random_plays() -> None:
    learner = Portfolio(9)
    learner.sleeps_for_random = True
    play(learner, 2_000, awake_wins=0.2, asleep_wins=0.01)
    chosen = set()
    for number in range(300):
        learner.learn(Episode(number, [0], outcome=Outcome.INVALID))
        chosen.add((learner.arm == "random", learner.awake))
    assert (False, True) in chosen
    assert (True, True) not in chosen
