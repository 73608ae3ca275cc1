"""`auto` finds out whom to trust, and sleeps when there is nothing to learn."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from untrod.core.vocabulary import Episode, Outcome
from untrod.engines.inputs.guide import Guide
from untrod.learn.portfolio import Portfolio


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


def test_it_does_not_doze_before_there_is_evidence_but_not_for_ever_either() -> None:
    def awake_after(episodes: int, valid_every: int) -> int:
        learner, awake = Portfolio(4), 0
        guide = Guide(learner)
        for number in range(episodes):
            guide.begin()
            guide.choose(range(30))
            valid = number % valid_every == valid_every - 1
            outcome = Outcome.VALID if valid else Outcome.INVALID
            learner.learn(Episode(number, guide.answers, outcome=outcome, new=valid))
            awake += number >= episodes - 200 and learner.awake
        return awake

    assert awake_after(1_500, valid_every=400) == 200
    assert awake_after(7_000, valid_every=10**9) < 100
