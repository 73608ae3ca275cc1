"""Making a learner faster must not change what it does: the answers of 2,000 episodes, pinned."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import pytest

from untrod.learn.catalogue import make_learner
from untrod.learn.exonerate.learner import Exonerate, Settings

PINNED = {"exonerate": "326c18a308038cbc", "auto": "98f23ec043d6840e", "montecarlo": "f32e8ed96f89b865"}


class Recorded:
    """A learner, and a digest of all it was told."""

    needs_context = True

    def __init__(self, learner: Any) -> None:
        self.decide, self._learn, self._digest = learner.decide, learner.learn, blake2b(digest_size=8)

    def learn(self, episode: Any) -> None:
        self._digest.update(bytes(episode.answers) + bytes([255, episode.new]))
        self._learn(episode)

    @property
    def digest(self) -> str:
        return self._digest.hexdigest()


@pytest.mark.parametrize("name", PINNED)
def test_the_answers_of_2000_episodes_are_the_pinned_ones(trees: Any, name: str) -> None:
    recorded = Recorded(make_learner(name, 1))
    trees.explore(recorded, trees.make, trees.valid, 2_000)
    assert recorded.digest == PINNED[name]


def test_so_are_those_of_a_learner_that_forgets(trees: Any) -> None:
    recorded = Recorded(Exonerate(2, Settings(max_cells=1_000, max_nodes=500)))
    trees.explore(recorded, trees.make, trees.valid, 1_000)
    assert recorded.digest == "63c6427f506c0fc9"


def given(choose: Any) -> tuple[int, ...]:
    """Rising numbers, by a generator that says what counts."""
    numbers: tuple[int, ...] = ()
    while len(numbers) < 9 and choose((True, True, False), numbers[-2:], "more"):
        numbers += (choose(range(20), numbers[-2:], "number"),)
    return numbers


def flat(choose: Any) -> tuple[int, ...]:
    """The same on one level, so that windows and siblings overflow."""
    return tuple(choose(range(4)) for _ in range(3 + choose(range(9))))


@pytest.mark.parametrize(("make", "pinned"), [(given, "a1b8047d20c18096"), (flat, "86279857c09fa122")])
def test_so_are_those_on_other_kinds_of_context(trees: Any, make: Any, pinned: str) -> None:
    recorded = Recorded(Exonerate(3))
    trees.explore(recorded, make, lambda numbers: list(numbers) == sorted(numbers), 500)
    assert recorded.digest == pinned
