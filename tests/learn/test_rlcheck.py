import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Choice, Context, Episode, Outcome
from untrod.learn.rlcheck import Cell, MonteCarlo, Settings


def ask(learner, options=2, site="s", given=()):
    context = Context(given=given)
    return learner.decide(Choice(context, site=site, options=options))


def play(learner, wanted, options=2, episodes=200):
    """One choice an episode; only `wanted` is valid, and always new."""
    picked = []
    for number in range(episodes):
        answer = ask(learner, options)
        outcome = Outcome.VALID if answer == wanted else Outcome.INVALID
        learner.learn(Episode(number, [answer], outcome=outcome, new=answer == wanted))
        picked.append(answer)
    return picked


def test_q_is_the_running_mean_of_the_episode_rewards():
    learner = MonteCarlo(0, Settings(epsilon=0.0))
    rewards = {"new": 20.0, "seen": 0.0, "invalid": -1.0}
    for number, (outcome, new) in enumerate(
        [(Outcome.VALID, True), (Outcome.VALID, False), (Outcome.INVALID, False), (Outcome.FAILED, True)]
    ):
        ask(learner, options=1)
        learner.learn(Episode(number, [0], outcome=outcome, new=new))
    (cell,) = learner._cells.values()
    expected = (rewards["new"] + rewards["seen"] + rewards["invalid"] + rewards["new"]) / 4
    assert cell.values == [pytest.approx(expected)]
    assert cell.counts == [4]


@pytest.mark.parametrize("wanted", [0, 3, 10])
def test_it_settles_on_what_pays_and_still_explores(wanted):
    picked = play(MonteCarlo(1), wanted, options=11)
    late = picked[100:]
    assert late.count(wanted) / len(late) == pytest.approx(0.75 + 0.25 / 11, abs=0.12)
    assert len(set(picked)) == 11


def test_without_epsilon_it_is_greedy():
    picked = play(MonteCarlo(1, Settings(epsilon=0.0)), 1, options=3)
    assert set(picked[10:]) == {1}


def test_states_are_told_apart_by_site_context_and_number_of_options():
    learner = MonteCarlo(0)
    for site, context, options in [("a", (), 2), ("b", (), 2), ("a", (1,), 2), ("a", (), 3), ("a", (), 2)]:
        ask(learner, options, site, context)
    assert learner.size == 4


def test_only_the_window_counts():
    learner = MonteCarlo(0, Settings(window=2))
    ask(learner, given=(1, 2, 3))
    ask(learner, given=(9, 2, 3))
    assert learner.size == 1


@pytest.mark.parametrize("state", ["sequence", "tree", "tree-lr"])
def test_a_restored_learner_continues_bit_for_bit(state):
    one = MonteCarlo(5, Settings(state=state))
    play(one, 2, options=5)
    two = MonteCarlo(99, Settings(state=state))
    two.load(json.loads(json.dumps(one.state())))
    assert play(one, 1, options=5) == play(two, 1, options=5)


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from([20.0, 0.0, -1.0])), max_size=60))
def test_the_kept_ranking_is_always_the_true_one(updates):
    """The cell skips most re-rankings: it must never be seen to."""
    learner = MonteCarlo(0, Settings(unique_reward=20.0))
    cell = Cell(4)
    rewards = {20.0: (Outcome.VALID, True), 0.0: (Outcome.VALID, False), -1.0: (Outcome.INVALID, False)}
    for number, (option, reward) in enumerate(updates):
        learner._visited.append(cell)
        outcome, new = rewards[reward]
        learner.learn(Episode(number, [option], outcome=outcome, new=new))
        top = max(cell.values)
        assert cell.best == [index for index, value in enumerate(cell.values) if value == top]


def test_memory_is_bounded_and_what_was_visited_most_is_kept():
    learner = MonteCarlo(0, Settings(max_states=10))
    for number in range(200):
        answers = [ask(learner, given=("often",)), ask(learner, given=(number,))]
        learner.learn(Episode(number, answers))
        assert learner.size <= 12
    assert ("s", 2, ("often",)) in learner._cells


@pytest.mark.parametrize(
    "settings", [{"state": "forest"}, {"epsilon": 1.5}, {"epsilon": -0.1}, {"window": 0}], ids=str
)
def test_impossible_settings_are_refused(settings):
    with pytest.raises(UntrodError):
        Settings(**settings)


@pytest.mark.parametrize(
    "state", [{}, {"cells": [], "random": None}, {"cells": [[1, [0.0], [1, 2]]]}], ids=str
)
def test_a_foreign_state_is_refused(state):
    with pytest.raises((ValueError, KeyError, TypeError)):
        MonteCarlo(0).load(state)
