"""Exonerate: elimination, no repetition, no option dies, and bit-exact persistence."""

from __future__ import annotations

import json
from typing import Any

import pytest

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Choice, Context, Episode, Outcome
from untrod.engines.inputs.target import Guide
from untrod.learn.bandits.portfolio import Portfolio
from untrod.learn.exonerate.learner import Exonerate, Settings


def test_most_trees_are_new_valid_search_trees_after_a_while(trees: Any) -> None:
    assert len(trees.explore(Exonerate(1), trees.make, trees.valid, 2_000)) > 700  # random draws reach 75


def rising(choose: Any) -> tuple[int, ...]:
    return tuple(choose(range(12)) for _ in range(4))


def brackets(choose: Any) -> str:
    text = ""
    while len(text) < 12 and choose((True, True, True, False)):
        text += choose("()[]")
    return text


def is_balanced(text: str) -> bool:
    while "()" in text or "[]" in text:
        text = text.replace("()", "").replace("[]", "")
    return not text


SUBJECTS = {
    "trees": (None, None, 120),  # random draws find 53 different valid ones
    "rising": (rising, lambda four: list(four) == sorted(set(four)), 36),  # 18
    "brackets": (brackets, is_balanced, 16),  # 4
}


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("beta", [2.0, 8.0])
@pytest.mark.parametrize("prior", [0.8, 0.95])
@pytest.mark.parametrize("noise", [0.02, 0.15])
def test_no_setting_of_the_priors_collapses(
    trees: Any, subject: str, beta: float, prior: float, noise: float
) -> None:
    make, valid, least = SUBJECTS[subject]
    learner = Exonerate(2, Settings(beta=beta, prior=prior, noise=noise))
    assert len(trees.explore(learner, make or trees.make, valid or trees.valid, 800)) > least


def test_what_somebody_else_decided_exonerates_but_does_not_convict() -> None:
    def after(outcome: Outcome) -> list[float]:
        """The logs of the probabilities that the three options are harmless."""
        learner, choice = Exonerate(1), Choice(Context(), site="s", options=3)
        for number in range(10):
            learner.observe(choice, 1)
            learner.learn(Episode(number, [1], outcome=outcome, new=number == 0))
        return list(learner.suspects.at(choice).logps)

    rejected, valid = after(Outcome.INVALID), after(Outcome.VALID)
    assert rejected[1] == rejected[0]
    assert valid[1] > valid[0]


def test_a_small_space_is_walked_without_repetition(trees: Any) -> None:
    learner = Exonerate(3, Settings(probe=0.0, restart=0.0))
    found = trees.explore(learner, lambda choose: (choose(range(5)), choose(range(5))), lambda pair: True, 25)
    assert len(found) == 25
    assert learner.unseen.exhausted


def test_an_option_that_is_hopeless_at_first_does_not_die_out() -> None:
    """Option 3 is valid only after the learner has had every reason to give up on it."""
    learner, taken = Exonerate(4), 0
    guide = Guide(learner)
    for number in range(1_500):
        guide.begin()
        option = guide.choose(range(4))
        [guide.choose(range(50)) for _ in range(3)]
        late = number >= 700
        taken += late and option == 3
        outcome = Outcome.INVALID if option == 3 and not late else Outcome.VALID
        learner.learn(Episode(number, guide.answers, outcome=outcome, new=outcome is Outcome.VALID))
    assert taken > 40


@pytest.mark.parametrize("kind", [Exonerate, Portfolio])
def test_a_reloaded_learner_continues_bit_for_bit(trees: Any, kind: Any) -> None:
    learner = kind(6)
    trees.explore(learner, trees.make, trees.valid, 300)
    copy = kind(999)
    copy.load(json.loads(json.dumps(learner.state())))
    again = trees.explore(copy, trees.make, trees.valid, 200)
    assert again == trees.explore(learner, trees.make, trees.valid, 200)
    assert json.dumps(copy.state()) == json.dumps(learner.state())


def test_memory_is_bounded(trees: Any) -> None:
    learner = Exonerate(7, Settings(max_cells=300, max_nodes=200, max_seeds=10))
    trees.explore(learner, trees.make, trees.valid, 400)
    assert len(learner) <= 300
    assert learner.unseen.nodes <= 200
    assert len(learner.seeds) <= 10


@pytest.mark.parametrize("bad", [{"prior": 1.0}, {"noise": 0.0}, {"probe": 2.0}, {"beta": 0.0}])
def test_impossible_settings_are_refused(bad: dict[str, float]) -> None:
    with pytest.raises(UntrodError):
        Settings(**bad)


def test_foreign_tables_are_refused() -> None:
    with pytest.raises((ValueError, KeyError)):
        Exonerate(8).adopt({"cells": [[[99, "x"], []]], "seeds": [], "frontier": []})


def test_a_decision_answers_within_its_options() -> None:
    learner, choice = Exonerate(9), Choice(Context(), "here", 3, (0.0, 1.0, 0.0))
    assert learner.decide(choice) == 1
