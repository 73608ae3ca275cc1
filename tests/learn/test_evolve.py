"""`evolve` finds what is far too rare for chance, as long as the check gives up in several places."""

from __future__ import annotations

import json
from typing import Any

from untrod.core.vocabulary import Episode, Outcome
from untrod.engines.inputs.guide import Guide
from untrod.learn.evolve import Evolve
from untrod.learn.portfolio import Portfolio

WANTED = (3, 1, 4, 1, 5)


def shape(choose: Any) -> list[int]:
    return [choose(range(10), site=f"digit {place}") for place in range(len(WANTED))]


def first_wrong(digits: list[int]) -> int:
    return next((at for at, (have, want) in enumerate(zip(digits, WANTED, strict=True)) if have != want), 5)


def play(learner: Any, episodes: int, graded: bool = True) -> tuple[int | None, list[list[int]]]:
    """The number of the first valid episode, and all inputs up to it."""
    guide, played, furthest = Guide(learner), [], -1
    for number in range(episodes):
        guide.begin()
        played.append(shape(guide.choose))
        stage = first_wrong(played[-1])
        if stage == len(WANTED):
            return number, played
        episode = Episode(number, guide.answers, outcome=Outcome.INVALID)
        if graded:
            episode.place, episode.lines = stage, frozenset(range(stage + 1))
            episode.progress = int(stage > furthest)
            furthest = max(stage, furthest) if number else furthest
        learner.learn(episode)
    return None, played


def test_it_goes_from_stage_to_stage() -> None:
    """One input in 100,000 is valid."""
    for seed in range(5):
        found, _ = play(Evolve(seed), 1_500)
        assert found is not None


def test_without_stages_there_is_nothing_to_go_by() -> None:
    found, _ = play(Evolve(1), 1_500, graded=False)
    assert found is None


def test_auto_evolves_until_something_is_valid_and_then_forgets() -> None:
    learner = Portfolio(1)
    found, _ = play(learner, 3_000)
    assert found is not None
    assert learner.evolve.niches
    learner.learn(Episode(found, [3, 1, 4, 1, 5], new=True))
    assert not learner.evolve.niches


def test_it_continues_bit_for_bit_from_its_state() -> None:
    one, other = Evolve(1), Evolve(2)
    play(one, 60)
    other.load(json.loads(json.dumps(one.state())))
    assert play(one, 60) == play(other, 60)


def test_a_portfolio_from_before_there_was_evolve_begins_with_an_empty_one() -> None:
    old, new = Portfolio(1), Portfolio(2)
    play(old, 40)
    play(new, 40)
    state = json.loads(json.dumps(old.state()))
    del state["evolve"]
    assert new.evolve.niches
    new.load(state)
    assert new.episodes == old.episodes
    assert not new.evolve.niches


def test_auto_continues_bit_for_bit_while_nothing_is_valid() -> None:
    one, other = Portfolio(1), Portfolio(2)
    play(one, 60)
    other.load(json.loads(json.dumps(one.state())))
    assert play(one, 60) == play(other, 60)


def test_it_keeps_the_shape_around_a_change() -> None:
    """A list inside a pair: when its length changes, what follows it stays in step."""

    def items(choose: Any) -> list[int]:
        found = []
        while len(found) < 6 and choose((True, False)):
            found.append(choose(range(5)))
        return found

    def pair(choose: Any) -> tuple[list[int], int]:
        return items(choose), choose(range(1_000))

    learner = Evolve(3)
    guide, kept, wanted = Guide(learner), 0, -1
    for number in range(300):
        guide.begin()
        value = pair(guide.choose)
        episode = Episode(number, guide.answers, outcome=Outcome.INVALID)
        if number == 0:
            wanted = value[1]
        good = value[1] == wanted
        episode.place, episode.lines = int(good), frozenset(range(good + 1))
        kept += good
        learner.learn(episode)
    assert kept > 100  # chance: one in a thousand


def test_memory_is_bounded() -> None:
    learner = Evolve(4)
    guide = Guide(learner)
    for number in range(600):
        guide.begin()
        digits = shape(guide.choose)
        episode = Episode(number, guide.answers, outcome=Outcome.INVALID)
        episode.place, episode.lines = 1, frozenset(digits)
        learner.learn(episode)
    assert len(learner.niches) <= 200
    assert max(len(niche.members) for niche in learner.niches.values()) <= 8
