"""What the learners saved before their files were rearranged loads, and goes on as it did then, bit for bit.

`old_states.json` was written by the code of that time (commit a99687a): each of `CASES` was made and used
for turn 0; then its state was saved, and what it did in turn 1. A store holds such states: a campaign that
was begun with an older version goes on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from untrod.core.vocabulary import Episode, Outcome
from untrod.engines.inputs.target import Guide
from untrod.learn.bandits.rate_bandit import RateBandit
from untrod.learn.catalogue import LEARNERS, PRUNINGS, make_learner, make_pruning
from untrod.learn.farlead import ActionLabels, DoubleQ
from untrod.learn.pruning import RoundTest
from untrod.learn.pyse.branch_q import BranchQ
from untrod.learn.pyse.q_values import QValues

OLD = json.loads((Path(__file__).parent / "old_states.json").read_text())


def answers_of(learner: Any, first: int, episodes: int, valid: Callable[[Any], bool]) -> list[Any]:
    """What is chosen in so many episodes of two nested calls; progress is told now and then."""
    guide, played = Guide(learner), []
    for number in range(first, first + episodes):
        guide.begin()
        value = pairs(guide.choose)
        outcome = Outcome.VALID if valid(value) else Outcome.INVALID
        episode = Episode(number, guide.answers, outcome=outcome, new=value not in played)
        if outcome is Outcome.INVALID:
            episode.new = False
            episode.progress = int(number % 7 == 0)
            episode.place, episode.lines = ("check", value[0]), frozenset({1, 2 + value[0] % 2})
        learner.learn(episode)
        played.append(value)
    return played


def pairs(choose: Any, depth: int = 0, above: tuple[int, ...] = ()) -> tuple[int, ...]:
    """Sites and contexts are named: a state must not hang on where this function stands."""
    kind = choose(range(4), above, "kind")
    deeper = depth < 2 and choose((True, False), above, "more")
    inner = pairs(choose, depth + 1, (*above, kind)) if deeper else ()
    return (kind, choose(range(3), (*above, kind), "size"), *inner)


def warm(learner: Any, turn: int) -> Any:
    return answers_of(learner, 150 * turn, 150, lambda value: value[0] == 0 and value[-1] < 2)


def cold(learner: Any, turn: int) -> Any:
    return answers_of(learner, 340 * turn, 340 if turn == 0 else 60, lambda value: False)


def rounds(pruning: Any, turn: int) -> Any:
    rng, told = Random(turn), []
    for _ in range(14 if turn == 0 else 6):
        plan = pruning.begin_round()
        states = {state: sorted({f"x = {rng.randrange(4)}", f"y = {rng.randrange(4)}"}) for state in range(9)}
        tests = []
        for _ in range(3):
            told.append([plan.length, plan.method, pruning.prune(states)])
            branches = [str(rng.randrange(9)) for _ in range(3)]
            tests.append(RoundTest(branches, [f"x = {rng.randrange(4)}", "z = 1"], pruning.serving))
        pruning.end_round(tests)
    return told


def branches(q: Any, turn: int) -> Any:
    rng, told = Random(turn), []
    for _ in range(20):
        cursor = q.cursor()
        for _ in range(6):
            site, action = rng.randrange(3), rng.random() < 0.5
            key = cursor.key(site)
            told.append([*q.values(key), q.greedy(key)])
            q.remember(key, action, float(-rng.randrange(5)), 1 + rng.randrange(3))
            cursor.push(site, action)
        q.learn()
    q.consolidate()
    return told


def screens(learner: Any, turn: int) -> Any:
    rng, told = Random(turn), []
    for _ in range(6):
        learner.begin()
        for _ in range(5):
            state, actions = (("screen", rng.randrange(3)),), ["back", ("click", 1), ("click", 2)]
            action = learner.decide(state, actions)
            told.append([action, *learner.values(state, action)])
            learner.learn(state, action, rng.choice((-1.0, 0.0, 0.33, 1.0)))
        learner.end()
    return told


def arms(bandit: Any, turn: int) -> Any:
    rng, told = Random(turn), []
    for _ in range(40):
        arm = bandit.choose()
        bandit.reward(arm, float(rng.random() < 0.3), 1.0 + rng.random())
        told.append([arm, bandit.rate(arm)])
    return told


CASES: dict[str, tuple[Callable[[], Any], Callable[[Any, int], Any]]] = {
    "random": (lambda: make_learner("random", 1), warm),
    "montecarlo": (lambda: make_learner("montecarlo", 2), warm),
    "exonerate": (lambda: make_learner("exonerate", 3), warm),
    "auto": (lambda: make_learner("auto", 4), warm),
    "auto, cold": (lambda: make_learner("auto", 5), cold),
    "homi": (lambda: make_pruning("homi", 6), rounds),
    "restarts": (lambda: make_pruning("restarts", 7), rounds),
    "branch q": (lambda: BranchQ(8, QValues()), branches),
    "double q": (lambda: DoubleQ(9, labels=ActionLabels()), screens),
    "rate bandit": (lambda: RateBandit(("one", "two", "three"), 10), arms),
}


def test_every_learner_and_pruning_that_keeps_something_is_among_them() -> None:
    """Not `random` and `none` among the prunings: they are `restarts` with another name."""
    assert set(LEARNERS) | set(PRUNINGS) - {"random", "none"} <= set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_an_old_state_loads_and_goes_on_bit_for_bit(name: str) -> None:
    make, act = CASES[name]
    learner = make()
    learner.load(OLD[name]["state"])
    assert json.loads(json.dumps(learner.state())) == OLD[name]["state"]
    assert json.loads(json.dumps(act(learner, 1))) == OLD[name]["next"]


def test_what_an_older_run_transfers_is_adopted() -> None:
    learner = make_learner("exonerate", 1)
    transferred = OLD["exonerate"]["state"]["tables"]
    learner.adopt(transferred)  # type: ignore[attr-defined]
    assert json.loads(json.dumps(learner.transfer())) == transferred  # type: ignore[attr-defined]
