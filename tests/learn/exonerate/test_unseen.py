"""Sampling without replacement."""

from __future__ import annotations

import json
from random import Random

import pytest

from untrod.learn.exonerate.unseen import Unseen


def walk(tree: Unseen, rng: Random, weights: list[float], depth: int) -> tuple[int, ...]:
    taken = []
    for _ in range(depth):
        option = rng.choices(range(len(weights)), tree.weigh(weights))[0]
        tree.step(option, weights)
        taken.append(option)
    tree.end()
    return tuple(taken)


def test_every_sequence_comes_once() -> None:
    tree, rng = Unseen(), Random(1)
    walks = [walk(tree, rng, [1.0, 2.0, 5.0], 4) for _ in range(81)]
    assert len(set(walks)) == 81
    assert tree.exhausted


def test_a_bad_option_is_not_forced_by_its_neighbours_being_used_up() -> None:
    tree, rng = Unseen(), Random(2)
    walks = [walk(tree, rng, [1.0, 1.0, 1e-9], 6) for _ in range(60)]
    assert not any(2 in taken for taken in walks)


def test_what_follows_an_endless_answer_is_never_used_up() -> None:
    tree = Unseen()
    for _ in range(3):
        tree.step(0, [1.0], endless=True)
        tree.step(0, [1.0])
        tree.end()
    assert tree.weigh([1.0]) == [1.0]


def test_the_state_is_exact_json() -> None:
    tree, rng = Unseen(), Random(3)
    for _ in range(40):
        walk(tree, rng, [1.0, 2.0, 5.0], 4)
    copy = Unseen()
    copy.load(json.loads(json.dumps(tree.state())))
    assert copy.state() == tree.state()
    one, other = Random(4), Random(4)
    assert [walk(copy, one, [1.0, 1.0, 1.0], 4) for _ in range(20)] == [
        walk(tree, other, [1.0, 1.0, 1.0], 4) for _ in range(20)
    ]


def test_a_state_that_breaks_off_is_refused() -> None:
    with pytest.raises(ValueError, match="breaks off"):
        Unseen().load([[1.0, 2, [0, 1]]])
