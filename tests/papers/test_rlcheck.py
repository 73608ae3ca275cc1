"""The search tree study of RLCheck (section 4.4) at small scale; `python -m bench inputs` has the rest.

Values 0 to 10, at most four links deep; epsilon 0.25, window 4, rewards 20 / 0 / -1.
"""

import statistics

import pytest

from untrod.core.loop import explore
from untrod.core.protocols import Learner
from untrod.engines.inputs.characteristic import ByValue
from untrod.engines.inputs.novelty import Novelty
from untrod.engines.inputs.target import GeneratorTarget
from untrod.learn.montecarlo import MonteCarlo, Settings
from untrod.learn.uniform import Uniform

VALUES, FLAGS, DEPTH, WINDOW = range(11), (True, False), 4, 4


def tree_lr(choose, depth=0, state=()):
    """Figure 3 of the paper: the generator carries its own state, marked L or R."""
    value = choose(VALUES, state, "value")
    state = (*state, value)[-WINDOW:]
    left = right = None
    if depth < DEPTH and choose(FLAGS, state, "left"):
        left = tree_lr(choose, depth + 1, (*state, "L")[-WINDOW:])
    if depth < DEPTH and choose(FLAGS, state, "right"):
        right = tree_lr(choose, depth + 1, (*state, "R")[-WINDOW:])
    return (value, left, right)


def is_bst(tree, low=-1, high=11):
    if tree is None:
        return True
    value, left, right = tree
    return low < value < high and is_bst(left, low, value) and is_bst(right, value, high)


class NoBeacon:
    def begin(self, episode): ...
    def trace(self, answers): ...
    def end(self): ...


def unique_valid(learner: Learner, trials: int) -> int:
    novelty = Novelty()
    target = GeneratorTarget(tree_lr, is_bst, None, ByValue(), NoBeacon())
    for episode in explore(target, learner, novelty):
        if episode.number + 1 == trials:
            return len(novelty)
    raise AssertionError


@pytest.mark.parametrize(
    ("make", "reported"),
    [
        (lambda seed: Uniform(seed), 222),
        (lambda seed: MonteCarlo(seed, Settings(state="sequence")), 853),
        (lambda seed: MonteCarlo(seed, Settings(state="tree-lr")), 805),
    ],
    ids=["random", "sequence", "tree-lr"],
)
def test_unique_valid_trees_in_10_000_trials_as_the_authors_report(make, reported):
    """Within 15% of what the authors' own Python example prints, as the median of five seeds."""
    counts = [unique_valid(make(seed), 10_000) for seed in range(5)]
    assert statistics.median(counts) == pytest.approx(reported, rel=0.15)
