"""`evolve` finds what is far too rare for chance, as long as the check gives up in several places."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from untrod.core.vocabulary import Choice, Episode, Outcome
from untrod.engines.inputs.target import Guide
from untrod.learn import evolve
from untrod.learn.bandits.portfolio import Portfolio
from untrod.learn.evolve import Evolve

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


def test_auto_climbs_first_then_mostly_evolves_while_nothing_is_valid_and_does_not_doze() -> None:
    learner, arms = Portfolio(1), []
    guide = Guide(learner)
    for number in range(1_000):
        arms.append(learner.arm if learner.awake else "asleep")
        guide.begin()
        digits = shape(guide.choose)
        learner.learn(
            Episode(number, guide.answers, outcome=Outcome.INVALID, progress=number == 9, place=digits[0])
        )
    assert arms[10:300].count("exonerate") > 180
    assert "evolve" not in arms[:300]
    assert arms[300:].count("evolve") > 480
    assert "asleep" not in arms[10:]


def test_it_continues_bit_for_bit_from_its_state() -> None:
    one, other = Evolve(1), Evolve(2)
    play(one, 60)
    other.load(json.loads(json.dumps(one.state())))
    assert other.state() == one.state()
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


@pytest.mark.parametrize("are_alike", [False, True])
def test_memory_is_bounded(are_alike: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evolve, "_SEEN", 300)
    learner = Evolve(4)
    guide = Guide(learner)
    for number in range(400):
        guide.begin()
        digits = shape(guide.choose)
        episode = Episode(number, guide.answers, outcome=Outcome.INVALID)
        episode.place, episode.lines = 1, frozenset([0] if are_alike else digits)
        learner.learn(episode)
    assert len(learner.niches) == (1 if are_alike else 200)
    assert max(len(niche.members) for niche in learner.niches.values()) <= 8
    assert len(learner.state()["seen"]) == 300


def children(learner: Evolve, generator: Any, parents: list[list[int]], count: int) -> list[Any]:
    """What is bred from rejected inputs with these answers, while nothing more is learned."""
    for number, answers in enumerate(parents):
        script = iter(answers)
        guide = Guide(Scripted(learner, script))
        guide.begin()
        generator(guide.choose)
        learner.learn(Episode(number, answers, outcome=Outcome.INVALID))
    guide, born = Guide(learner), []
    for number in range(count):
        guide.begin()
        born.append(generator(guide.choose))
        learner.learn(Episode(number, guide.answers))
    return born


class Scripted:
    """Answers as it is told, and lets a learner watch."""

    def __init__(self, learner: Evolve, script: Iterator[int]) -> None:
        self._learner = learner
        self._script = script

    def decide(self, choice: Choice) -> int:
        answer = next(self._script)
        self._learner.observe(choice, answer)
        return answer


def numbers(choose: Any) -> list[int]:
    found = []
    while choose((False, True)):
        found.append(choose(range(100_000)))
    return found


def chain(choose: Any) -> tuple[Any, ...]:
    head = choose(range(100_000))
    return (head, *(chain(choose) if choose((False, True)) else ()))


def test_a_turn_of_a_loop_is_left_out_and_the_others_stay() -> None:
    assert [11, 33] in children(Evolve(1), numbers, [[1, 11, 1, 22, 1, 33, 0]], 100)


def test_a_level_is_replaced_by_one_inside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evolve, "_REDRAW", 1.0)  # or it could be taken from the same input
    assert (11, 33) in children(Evolve(1), chain, [[11, 1, 22, 1, 33, 0]], 100)


def test_a_level_is_taken_from_another_input() -> None:
    born = children(Evolve(1), chain, [[11, 1, 22, 0], [33, 1, 44, 0]], 200)
    assert (11, 44) in born or (33, 22) in born


def test_what_was_had_before_is_not_bred_again() -> None:
    """Of sixteen inputs all but one are known: it comes far more often than one time in sixteen."""

    def bits(choose: Any) -> tuple[int, ...]:
        return tuple(choose(range(2), site=f"bit {place}") for place in range(4))

    known = [[number >> place & 1 for place in range(4)] for number in range(15)]
    assert children(Evolve(1), bits, known, 100).count((1, 1, 1, 1)) > 25
