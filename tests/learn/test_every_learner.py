"""What every learner of the catalogue promises: no option dies out, no grudge is for ever, memory is bounded.

A learner that is added to the catalogue is tried here without being named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from untrod.core.vocabulary import Episode, Outcome
from untrod.engines.inputs.guide import Guide
from untrod.learn import exonerate, montecarlo
from untrod.learn.catalogue import LEARNERS, make_learner
from untrod.learn.portfolio import Portfolio

KINDS, SIZES, FILL, LITTLE = range(5), range(8), range(100), range(6)
EVERY = [name for name in LEARNERS if "," not in name]
LEARNING = [name for name in EVERY if name != "random"]

Value = tuple[int, int, int, int]


def shape(choose: Any, fill: range) -> Value:
    """A kind, a size, and two values that make enough different inputs for a long run."""
    return (choose(KINDS), choose(SIZES), choose(fill), choose(fill))


def play(learner: Any, valid: Callable[[int, Value], bool], episodes: int, fill: range = FILL) -> list[Value]:
    """The inputs of all episodes, in order; `valid` also hears the number of the episode."""
    guide, played, seen = Guide(learner), [], set()
    for number in range(episodes):
        guide.begin()
        value = shape(guide.choose, fill)
        outcome = Outcome.VALID if valid(number, value) else Outcome.INVALID
        new = outcome is Outcome.VALID and value not in seen
        learner.learn(Episode(number, guide.answers, outcome=outcome, new=new))
        seen.add(value)
        played.append(value)
    return played


@pytest.mark.parametrize("name", EVERY)
def test_every_option_of_every_site_is_still_tried_late_in_a_long_run(name: str) -> None:
    """One kind of five and two sizes of eight are valid: the others are rejected without exception."""
    played = play(make_learner(name, 1), lambda _, value: value[0] == 0 and value[1] < 2, 4_000)
    late = played[2_000:]
    for place, options in enumerate((KINDS, SIZES)):
        taken = Counter(value[place] for value in late)
        assert min(taken[option] for option in options) >= 4, taken  # one in five hundred


@pytest.mark.parametrize("name", LEARNING)
def test_it_prefers_what_is_valid_all_the_same(name: str) -> None:
    played = play(make_learner(name, 1), lambda _, value: value[0] == 0 and value[1] < 2, 2_000)
    good = sum(value[0] == 0 and value[1] < 2 for value in played[1_000:])
    assert good > 400  # random draws: 50


@pytest.mark.parametrize("name", LEARNING)
def test_what_was_always_rejected_comes_back_when_it_becomes_valid(name: str) -> None:
    """For 800 episodes only kind 0 is valid, then only kind 1."""
    played = play(make_learner(name, 2), lambda number, value: value[0] == (number >= 800), 2_400)
    assert sum(value[0] == 1 for value in played[1_800:]) > 0.3 * 600  # random draws: 0.2


def bounded(name: str) -> Any:
    few = exonerate.Settings(max_cells=300, max_nodes=200, max_seeds=10)
    if name == "exonerate":
        return exonerate.Exonerate(3, few)
    if name == "montecarlo":
        return montecarlo.MonteCarlo(3, montecarlo.Settings(max_states=100))
    learner = make_learner(name, 3)
    if isinstance(learner, Portfolio):
        learner.exonerate = exonerate.Exonerate(3, few)
        learner.montecarlo = montecarlo.MonteCarlo(3, montecarlo.Settings(max_states=100))
    return learner


def size(state: Any) -> int:
    """How many plain values a state holds."""
    if isinstance(state, dict):
        return sum(map(size, state.values()))
    return sum(map(size, state)) if isinstance(state, list | tuple) else 1


@pytest.mark.parametrize("name", EVERY)
def test_memory_does_not_grow_with_the_length_of_the_run(name: str) -> None:
    """Within its bounds a learner forgets and fills up again, so sizes are compared at their peaks. What it
    keeps for each option fills up too, therefore few options."""
    learner = bounded(name)
    sizes = []
    for _ in range(24):
        play(learner, lambda _, value: value[0] == 0 and value[1] < 2, 100, LITTLE)
        sizes.append(size(learner.state()))
    assert max(sizes[12:]) <= 1.15 * max(sizes[:12])


def test_the_bounds_are_kept_in_the_course_of_a_run() -> None:
    learner = bounded("auto")
    for _ in range(20):
        play(learner, lambda _, value: value[0] == 0, 50)
        assert len(learner.exonerate) <= 300
        assert learner.exonerate.unseen.nodes <= 200
        assert len(learner.exonerate.seeds) <= 10
        assert len(learner.exonerate.frontier) <= 10
        assert learner.montecarlo.size <= 100
