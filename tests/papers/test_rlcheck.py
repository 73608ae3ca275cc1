"""RLCheck (Reddy, Lemieux, Padhye, Sen, ICSE 2020): Algorithm 1, the rewards of section 4.2, the abstractions
of section 4.3 with Figure 2, and the search tree study at small scale; `python -m bench inputs` has the rest.

Values 0 to 10, at most four links deep; epsilon 0.25, window 4, rewards 20 / 0 / -1.
"""

import statistics
from collections import Counter
from functools import cache

import pytest

from untrod.core.loop import explore
from untrod.core.protocols import Learner
from untrod.core.vocabulary import Choice, Context, Episode, Frame, Outcome
from untrod.engines.inputs.judge import ByValue, Novelty, by_choices, by_function
from untrod.engines.inputs.target import GeneratorTarget
from untrod.learn.rlcheck import MonteCarlo, Settings, sequence, tree, tree_lr
from untrod.learn.uniform import Uniform

VALUES, FLAGS, DEPTH, WINDOW = range(11), (True, False), 4, 4


def episode(number, answers, outcome, new=False):
    return Episode(number, answers, outcome=outcome, new=new)


def asked(learner, options, site="p", state=()):
    return learner.decide(Choice(Context(given=state), site=site, options=options))


def test_the_values_of_the_paper_are_the_defaults():
    """Section 4.3.1: epsilon = 0.25, w = 4, R_invalid = -1, R_valid = 0, R_unique = 20."""
    settings = Settings()
    assert (settings.epsilon, settings.window) == (0.25, 4)
    assert (settings.invalid_reward, settings.valid_reward, settings.unique_reward) == (-1, 0, 20)
    assert settings.progress_reward == 0  # ours, and off


def test_algorithm_1_q_is_the_mean_reward_of_the_episodes_with_that_choice_in_that_state():
    """Two choice points; the second is reached in a state that is the first one's answer."""
    learner, by_pair = MonteCarlo(1), {}
    rewards = {(Outcome.VALID, True): 20.0, (Outcome.VALID, False): 0.0, (Outcome.INVALID, False): -1.0}
    for number in range(60):
        first = asked(learner, 2, "first")
        second = asked(learner, 3, "second", (first,))
        ending = list(rewards)[(first + second) % 3]
        learner.learn(episode(number, [first, second], *ending))
        by_pair.setdefault(("first", (), first), []).append(rewards[ending])
        by_pair.setdefault(("second", (first,), second), []).append(rewards[ending])  # one reward for all

    for (site, state, option), seen in by_pair.items():
        cell = learner._cells[site, 2 if site == "first" else 3, state]
        assert cell.values[option] == pytest.approx(statistics.fmean(seen))  # no discount
        assert cell.counts[option] == len(seen)


def test_algorithm_1_the_first_episode_is_random_then_the_best_has_1_minus_epsilon_and_its_share():
    learner, options = MonteCarlo(2), 5
    drawn = Counter(asked(learner, options) for _ in range(5_000))
    assert all(count == pytest.approx(1_000, rel=0.15) for count in drawn.values())  # Q is 0 everywhere
    learner._visited.clear()

    learner._visited.append(learner._cells["p", options, ()])
    learner.learn(episode(0, [3], Outcome.VALID, new=True))
    drawn = Counter(asked(learner, options) for _ in range(5_000))
    assert drawn[3] / 5_000 == pytest.approx(0.75 + 0.25 / options, abs=0.02)
    assert drawn[0] / 5_000 == pytest.approx(0.25 / options, abs=0.02)


def test_each_choice_point_has_a_learner_of_its_own():
    """Definition 4.2: what was learned at one point says nothing about another in the same state."""
    learner = MonteCarlo(3, Settings(epsilon=0.0))
    first = asked(learner, 2, "here", ("s",))
    learner.learn(episode(0, [first], Outcome.VALID, new=True))
    assert {asked(learner, 2, "here", ("s",)) for _ in range(50)} == {first}
    assert {asked(learner, 2, "there", ("s",)) for _ in range(50)} == {0, 1}


def test_the_reward_is_not_stationary_the_same_input_pays_once():
    novelty, seen = Novelty(), []
    learner = MonteCarlo(4)
    target = GeneratorTarget(lambda choose: choose(range(1)), None, None, ByValue(), NoBeacon())
    for each in explore(target, learner, novelty):
        seen.append(learner._reward(each))
        if len(seen) == 3:
            break
    assert seen == [20.0, 0.0, 0.0]


def test_the_characteristic_says_which_inputs_are_the_same():
    """Definition 3.3: |{xi(x) : x valid}| is what counts, with xi the identity unless told otherwise."""

    def judged(characteristic):
        novelty, told = Novelty(), []
        values = [((1, 2), [0, 1]), ((1, 2), [5, 6]), ((2, 1), [0, 1])]  # the first two by other choices
        for number, (value, answers) in enumerate(values):
            each = Episode(number, answers, value=value, key=characteristic(value, answers))
            novelty(each)
            told.append(each.new)
        return told

    assert judged(ByValue()) == [True, False, True]
    assert judged(by_choices) == [True, True, False]
    assert judged(by_function(sum)) == [True, False, False]


# Figure 2: root 2 with a left child 1, which is complete, and a right child that is about to get its value.
CHOICES = (2, True, 1, False, False, True)


def test_figure_2_sequence_is_whatever_came_last():
    assert sequence(Context(answers=list(CHOICES)), 4) == (1, False, False, True)


def test_figure_2_tree_has_the_parents_and_tree_lr_says_which_child():
    """As in Figure 3, the generator carries what it depends on."""
    assert tree(Context(answers=list(CHOICES), given=(2, True)), 4) == (2, True)
    assert tree_lr(Context(answers=list(CHOICES), given=(2, "R")), 4) == (2, "R")


# Where the generator says nothing, nesting does: the same tree by the calls that are open, as option numbers.
NESTED = Context(answers=[2, 0, 1, 1, 1, 0], frames=[Frame(None, [2, 0, 0]), Frame(40, [])])


def test_sequence_takes_whatever_came_last():
    assert sequence(NESTED, 4) == (1, 1, 1, 0)


def test_tree_leaves_completed_siblings_out():
    assert tree(NESTED, 4) == (2, 0, 0)


def test_tree_lr_also_tells_left_from_right():
    from_left = Context(frames=[Frame(None, [2, 0]), Frame(20, [])])
    from_right = Context(frames=[Frame(None, [2, 0]), Frame(40, [])])
    assert tree(from_left, 4) == tree(from_right, 4)
    assert tree_lr(from_left, 4) != tree_lr(from_right, 4)


def test_the_window_keeps_the_nearest_levels():
    assert tree(NESTED, 2) == (0, 0)
    assert len(tree_lr(NESTED, 2)) == 2


def test_what_the_generator_says_wins():
    given = Context(answers=[1, 2, 3], frames=[Frame(None, [9])], given=("root", 2, "R"))
    assert tree(given, 2) == tree_lr(given, 2) == (2, "R")


# -- the search tree study (section 4.3.1) ----------------------------------------------------------------


def generate(choose, depth=0, state=()):
    """Figure 3 of the paper: the generator carries its own state, marked L or R."""
    value = choose(VALUES, state, "value")
    state = (*state, value)[-WINDOW:]
    left = right = None
    if depth < DEPTH and choose(FLAGS, state, "left"):
        left = generate(choose, depth + 1, (*state, "L")[-WINDOW:])
    if depth < DEPTH and choose(FLAGS, state, "right"):
        right = generate(choose, depth + 1, (*state, "R")[-WINDOW:])
    return (value, left, right)


def is_bst(node, low=-1, high=11):
    if node is None:
        return True
    value, left, right = node
    return low < value < high and is_bst(left, low, value) and is_bst(right, value, high)


class NoBeacon:
    def begin(self, episode): ...
    def trace(self, answers): ...
    def end(self): ...


def unique_valid(learner: Learner, trials: int) -> int:
    novelty = Novelty()
    target = GeneratorTarget(generate, is_bst, None, ByValue(), NoBeacon())
    for each in explore(target, learner, novelty):
        if each.number + 1 == trials:
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


def test_there_are_298_234_valid_trees():
    """The ceiling of the study, counted: trees over n values in a row, at most so many links deep."""

    @cache
    def trees(values: int, links: int) -> int:
        if links < 0:
            return 0
        return sum(
            (1 + trees(root, links - 1)) * (1 + trees(values - 1 - root, links - 1)) for root in range(values)
        )

    assert trees(len(VALUES), DEPTH) == 298_234
