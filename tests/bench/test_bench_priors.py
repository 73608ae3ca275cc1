"""The sweep of the settings, at a tiny scale."""

from __future__ import annotations

from collections import Counter

import pytest
from bench.inputs import priors
from bench.plan import Plan

from untrod.engines.inputs.backend.entry import register
from untrod.learn.catalogue import LEARNERS
from untrod.learn.exonerate.learner import Exonerate


def test_every_pair_of_settings_goes_to_its_four_corners() -> None:
    swept = list(priors.settings(priors.CORNERS["exonerate"]))
    pairs = Counter(tuple(name for name, _ in setting) for setting in swept)
    assert swept[0] == ()
    assert pairs == {(): 1, ("beta", "prior"): 4, ("beta", "noise"): 4, ("prior", "noise"): 4}
    assert len(set(swept)) == len(swept)


def test_a_setting_is_on_offer_only_while_it_is_measured() -> None:
    before = LEARNERS.names
    with priors.offered("exonerate", (("beta", 8.0),)) as name:
        learner = LEARNERS.find(name)(1)
        assert isinstance(learner, Exonerate)
        assert learner.settings.beta == 8.0
    assert before == LEARNERS.names


def test_it_runs_only_when_asked_for() -> None:
    result = priors.run(Plan())
    assert not result.rows
    assert "--study priors" in result.notes[0]


def test_the_worst_corner_is_what_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    unique = {
        (): [20, 40],
        (("beta", 2.0), ("prior", 0.6)): [6, 6],
        (("beta", 2.0), ("prior", 0.97)): [60, 60],
    }
    monkeypatch.setattr(priors, "CORNERS", {"exonerate": {}})
    monkeypatch.setattr(priors, "settings", lambda corners: unique)
    monkeypatch.setattr(priors, "sweep", lambda plan, subject, learner, setting: unique[setting])
    (bar,) = priors.run(Plan(study="priors", only="bst")).bars
    assert (bar.value, bar.holds) == (0.2, False)
    assert "beta=2 prior=0.6 on bst" in bar.name


def test_a_learner_that_finds_next_to_nothing_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(priors, "CORNERS", {"montecarlo": {"epsilon": (0.1, 0.5), "window": (2, 8)}})
    monkeypatch.setattr(priors, "sweep", lambda plan, subject, learner, setting: [3])
    result = priors.run(Plan(study="priors", only="parens"))
    assert not result.bars
    assert any("too little" in note for note in result.notes)


def test_a_sweep_counts_unique_valid_inputs_seed_by_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(priors, "ATTEMPTS", {"bst": 60})
    register()
    found = priors.sweep(Plan(seeds=2), "bst", "exonerate", (("beta", 8.0), ("prior", 0.6)))
    assert len(found) == 2
    assert all(0 < unique <= 60 for unique in found)
