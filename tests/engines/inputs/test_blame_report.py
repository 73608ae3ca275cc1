"""The options that a learner blames, for people, and how often its table is read for them."""

from __future__ import annotations

import json

import pytest

from untrod.engines.inputs.job import BLAME_FIRST, BlameReport
from untrod.learn.catalogue import make_learner
from untrod.learn.exonerate.learner import Exonerate
from untrod.learn.exonerate.suspects import SITE, Cell, Suspect


def blame(learner, option: int) -> None:
    member = learner if isinstance(learner, Exonerate) else learner.transferable
    cell = member.cells.setdefault((SITE, ("f:2:4", 5)), Cell())
    suspect = cell[option] = Suspect(-3.0, 0.0)
    suspect.invalid = 40


@pytest.mark.parametrize("name", ["auto", "exonerate"])
def test_blamed_options_are_json_and_read_again_after_half_as_many_episodes_more(name: str) -> None:
    learner = make_learner(name, 1)
    report = BlameReport(learner)
    blame(learner, 3)

    assert report(BLAME_FIRST - 1) == []
    told = report(BLAME_FIRST)
    blame(learner, 4)

    assert told == [{"site": "f:2:4", "option": 3, "options": 5, "after": [], "within": [], "tried": 40}]
    assert json.loads(json.dumps(told)) == told
    assert report(BLAME_FIRST + BLAME_FIRST // 2 - 1) == told
    assert len(report(BLAME_FIRST + BLAME_FIRST // 2)) == 2


@pytest.mark.parametrize("name", ["random", "montecarlo"])
def test_a_learner_that_blames_no_option_reports_none(name: str) -> None:
    assert BlameReport(make_learner(name, 1))(10_000) == []
