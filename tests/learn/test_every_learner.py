"""What every learner of the catalogue promises: no option dies out, no grudge is for ever, memory is bounded.

A learner that is added to the catalogue is tried here without being named.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from untrod.learn import rlcheck
from untrod.learn.bandits.portfolio import Portfolio
from untrod.learn.catalogue import LEARNERS, make_learner
from untrod.learn.exonerate import learner as exonerate
from untrod.testing.policies import ALWAYS, CHECKS, play

LITTLE = range(6)
EVERY = [name for name in LEARNERS if "," not in name]
LEARNING = [name for name in EVERY if name != "random"]


@pytest.mark.parametrize(
    ("name", "check"),
    [(name, check) for name in EVERY for check in (CHECKS if name in LEARNING else ALWAYS)],
    ids=lambda part: part if isinstance(part, str) else part.__name__,
)
def test_the_learner_keeps_its_promises(name: str, check: Any) -> None:
    check(partial(make_learner, name))


def bounded(name: str) -> Any:
    few = exonerate.Settings(max_cells=300, max_nodes=200, max_seeds=10)
    if name == "exonerate":
        return exonerate.Exonerate(3, few)
    if name == "montecarlo":
        return rlcheck.MonteCarlo(3, rlcheck.Settings(max_states=100))
    learner = make_learner(name, 3)
    if isinstance(learner, Portfolio):
        learner.exonerate = exonerate.Exonerate(3, few)
        learner.montecarlo = rlcheck.MonteCarlo(3, rlcheck.Settings(max_states=100))
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
