"""What is told of a learner, and how often it is asked."""

from __future__ import annotations

import json

import pytest

from untrod.engines.inputs.opinion import FIRST, Opinion
from untrod.learn.catalogue import make_learner
from untrod.learn.exonerate.features import SITE
from untrod.learn.exonerate.learner import Exonerate
from untrod.learn.exonerate.suspects import Cell, Suspect


def guilty(learner, option: int) -> None:
    member = learner if isinstance(learner, Exonerate) else learner.transferable
    cell = member.cells.setdefault((SITE, ("f:2:4", 5)), Cell())
    suspect = cell[option] = Suspect(-3.0, 0.0)
    suspect.invalid = 40


@pytest.mark.parametrize("name", ["auto", "exonerate"])
def test_convictions_are_told_as_json_and_looked_up_when_there_is_much_more(name: str) -> None:
    learner = make_learner(name, 1)
    opinion = Opinion(learner)
    guilty(learner, 3)

    assert opinion(FIRST - 1) == []
    told = opinion(FIRST)
    guilty(learner, 4)

    assert told == [{"site": "f:2:4", "option": 3, "options": 5, "after": [], "within": [], "tried": 40}]
    assert json.loads(json.dumps(told)) == told
    assert opinion(FIRST + FIRST // 2 - 1) == told
    assert len(opinion(FIRST + FIRST // 2)) == 2


@pytest.mark.parametrize("name", ["random", "montecarlo"])
def test_a_learner_that_convicts_nobody_has_nothing_to_say(name: str) -> None:
    assert Opinion(make_learner(name, 1))(10_000) == []
