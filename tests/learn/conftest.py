"""What the learners are tried on: a generator of trees, its validity check, and the loop."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from untrod.core.vocabulary import Episode, Outcome
from untrod.engines.inputs.target import Guide

VALUES, YES_NO = range(11), (True, False)


def tree(choose: Any, depth: int = 0) -> Any:
    value = choose(VALUES)
    left = tree(choose, depth + 1) if depth < 4 and choose(YES_NO) else None
    right = tree(choose, depth + 1) if depth < 4 and choose(YES_NO) else None
    return (value, left, right)


def is_search_tree(node: Any, low: int = -1, high: int = 11) -> bool:
    if node is None:
        return True
    value, left, right = node
    return low < value < high and is_search_tree(left, low, value) and is_search_tree(right, value, high)


def explore(
    learner: Any, generator: Callable[[Any], Any], valid: Callable[[Any], bool], episodes: int
) -> list[Any]:
    """The new valid values, in the order found."""
    guide, found, seen = Guide(learner), [], set()
    for number in range(episodes):
        guide.begin()
        value = generator(guide.choose)
        episode = Episode(number, guide.answers)
        if not valid(value):
            episode.outcome = Outcome.INVALID
        elif value not in seen:
            seen.add(value)
            found.append(value)
            episode.new = True
        learner.learn(episode)
    return found


@pytest.fixture
def trees() -> SimpleNamespace:
    """`make` a tree, `valid` for search trees, `explore` with a learner."""
    return SimpleNamespace(make=tree, valid=is_search_tree, explore=explore)
