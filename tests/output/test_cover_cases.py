"""What a cover campaign leaves behind: the suite, and a test for each finding."""

from __future__ import annotations

import sys

import pytest

from untrod.core.budget import Budget
from untrod.core.events import CorpusGrown
from untrod.core.vocabulary import Finding, Outcome
from untrod.engines.cover.case import Input, Step
from untrod.engines.cover.delivery import CoverRecipe
from untrod.engines.cover.engine import CoverConfig
from untrod.engines.cover.job import CoverJob
from untrod.output.deliver import limit
from untrod.runtime.campaign import Plan
from untrod.runtime.loading import TargetName
from untrod.runtime.replayer import Replayed
from untrod.source.literals import express

SHOP = """
def price(amount: int, table: list[int]) -> int:
    if amount > 10:
        return [price for price in table if price > amount][0]
    return amount
"""


class Silent:
    def begin(self, episode: int) -> None: ...
    def trace(self, answers: list[int]) -> None: ...
    def end(self) -> None: ...


class InProcess:
    """A replayer without a worker."""

    def __init__(self, job: CoverJob) -> None:
        self._job = job
        self.expired = self.hurry = lambda: False

    def replay(self, trace):
        body = self._job.replay(trace)
        key = body["finding"]["key"] if body["finding"] else ""
        return Replayed(Outcome(body["outcome"]), key, (), body)


@pytest.fixture
def shop(tmp_path, monkeypatch):
    (tmp_path / "shop_to_cover.py").write_text(SHOP)
    config = CoverConfig(TargetName("shop_to_cover", "", str(tmp_path)))
    paths = list(sys.path)
    spec = {**config.to_json(), "seed": 0, "project": str(tmp_path), "transfer": None}
    yield CoverRecipe(config), InProcess(CoverJob(spec, Silent()))
    sys.path[:] = paths
    sys.modules.pop("shop_to_cover", None)


def given(*arguments) -> Input:
    return Input("shop_to_cover:price", (Step("price", tuple(map(express, arguments))),))


def entry(of: Input) -> CorpusGrown:
    return CorpusGrown(str(of), of.trace(), str(of))


def finding(replayer, of: Input, kind=Outcome.FAILED, **detail) -> Finding:
    return Finding(replayer.replay(of.trace()).key or "other", kind, "it fails", of.trace(), detail)


def test_a_case_of_the_suite_names_the_finding_that_it_shows(shop):
    recipe, replayer = shop
    slip = given(12, [5])
    tests = recipe.cases([found := finding(replayer, slip)], [entry(slip), entry(given(1, []))], replayer)
    assert [test.finding for test in tests if test.finding] == [found.id]
    (told,) = (test for test in tests if test.finding)
    assert told.remark == "Looks like a bug: IndexError in shop_to_cover.py:4."
    assert told.name_hint == "price of 11 and empty list raises index error"


def test_a_finding_that_the_suite_does_not_show_gets_a_small_test_of_its_own(shop):
    recipe, replayer = shop
    fine = given(11, [0] * 12)
    tests = recipe.cases([found := finding(replayer, given(99, [3, 4]))], [entry(fine)], replayer)
    assert [test.name_hint for test in tests if test.finding == found.id] == [
        "price of 11 and empty list raises index error"
    ]


def test_what_takes_the_process_down_is_written_down_and_not_run(shop):
    recipe, replayer = shop
    found = finding(replayer, given(5, []), Outcome.CRASHED)
    (test,) = recipe.cases([found], [], replayer)
    assert test.known_failure is not None
    assert not test.known_failure.run


@pytest.mark.parametrize("detail", [{"held": [1, 3]}, {"complete": False}])
def test_flaky_and_incomplete_findings_get_no_test(shop, detail):
    recipe, replayer = shop
    assert recipe.cases([finding(replayer, given(99, [3]), **detail)], [], replayer) == []


def test_when_time_is_up_it_says_what_was_given_up(shop):
    recipe, replayer = shop
    entries = [entry(given(n, [5])) for n in (1, 500, 3)]
    replayer.expired = iter([False, False, *[True] * 1000]).__next__
    (first, *rest) = recipe.cases([], entries, replayer)
    assert "500" in first.name_hint or any("500" in test.name_hint for test in rest), "not made simpler"
    assert list(recipe.notes()) == [
        "no tests were made of 1 of 3 inputs: no time was left",
        "the values in the tests are not as simple as they could be: no time was left",
    ]


@pytest.mark.parametrize(
    ("budget", "seconds"),
    [
        ("4s", 10.0),
        ("60s", 30.0),
        ("2h", 300.0),
        ("500", 60.0),
        ("60s,500", 30.0),
        ("60s cpu", 45.0),
        ("60s,30s cpu", 15.0),
    ],
)
def test_making_a_suite_has_a_share_of_the_budget(tmp_path, budget, seconds):
    plan = Plan("c", "t", 0, Budget.parse(budget), tmp_path, tmp_path)
    assert limit(plan, [], took=90.0) == seconds
