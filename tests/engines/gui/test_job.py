"""A shard of a campaign, without a process around it."""

import json

import pytest

from untrod.core.protocols import Batch
from untrod.core.vocabulary import Trace
from untrod.drivers.graph_writer import write_graph
from untrod.engines.gui.engine import GuiConfig, GuiEngine
from untrod.engines.gui.job import GuiJob

LICENCE, NOWHERE, NO_GAME = "F [text ~ GPL]", "F [text ~ nowhere]", "G ![activity ~ Offline]"
FAR = Batch(1000, 60.0)


class Beacon:
    def begin(self, episode: int) -> None: ...

    def trace(self, answers: list[int]) -> None: ...

    def end(self) -> None: ...


@pytest.fixture
def start(walk, tmp_path):
    (tmp_path / "walk.json").write_text(write_graph(walk))

    def start(*specs: tuple[str, bool], known=None, **options) -> tuple[GuiEngine, GuiJob]:
        asked = tuple((text, violate, "") for text, violate in specs)
        engine = GuiEngine(GuiConfig("walk.json", asked, "model", **options), 0, tmp_path, known)
        return engine, GuiJob(json.loads(json.dumps(engine.spec(0))), Beacon())

    return start


def findings(engine, report):
    return [item[0] for item in engine.absorb(report) if isinstance(item, tuple)]


def test_several_specifications_share_a_campaign_which_ends_when_all_are_found(start):
    engine, job = start((LICENCE, False), (NO_GAME, True))
    report = job.run(FAR)
    found = {finding.key: finding for finding in findings(engine, report)}
    assert {key: finding.kind for key, finding in found.items()} == {
        f"satisfy {LICENCE}": "witness",
        f"violate {NO_GAME}": "counterexample",
    }
    assert (report["exhausted"], report["found"], report["of"]) == (True, 2, 2)
    assert "2 of 2 shown" in engine.extra([report])["status"]


def test_a_finding_replays_and_explains_itself(start):
    engine, job = start((NO_GAME, True))
    (finding,) = findings(engine, job.run(FAR))
    again = start((NO_GAME, True))[1].replay(finding.trace)
    assert again["finding"]["key"] == finding.key
    assert again["explanation"].startswith("Violated at step")
    assert again["reasons"][-1][1:] == ["activity", "~", "Offline", True]


def test_a_finding_is_also_a_formula_that_leaves_no_choice(start):
    engine, job = start((NO_GAME, True))
    (finding,) = findings(engine, job.run(FAR))
    formula = finding.detail["formula"]
    assert formula.startswith("X ([actionType = ")
    report = start((formula, False))[1].run(FAR)
    assert (report["found"], report["steps"]) == (1, len(finding.trace.answers) - 1)


def test_a_trace_with_a_step_too_few_or_none_at_all_shows_nothing(start):
    engine, job = start((LICENCE, False))
    (finding,) = findings(engine, job.run(FAR))
    for answers in (finding.trace.answers[:-1], finding.trace.answers[1:], (), ("satisfy X", "[]"), (3, 4)):
        assert job.replay(Trace(tuple(answers)))["finding"] is None


def test_a_snapshot_goes_on_where_it_was_and_knows_what_it_has_found(start):
    _, job = start((LICENCE, False), (NOWHERE, False))
    job.run(Batch(12, 60.0))
    _, other = start((LICENCE, False), (NOWHERE, False))
    report = other.restore(job.snapshot())
    assert (report["episodes"], report["found"]) == (12, 1)
    assert other.snapshot() == job.snapshot()
    with pytest.raises(ValueError, match="not a snapshot"):
        other.restore(b"nonsense")


def test_the_same_seed_finds_the_same(start):
    engine, job = start((LICENCE, False))
    assert findings(engine, job.run(FAR)) == findings(engine, start((LICENCE, False))[1].run(FAR))


def test_what_was_learned_is_where_the_next_campaign_starts(start):
    engine, job = start((LICENCE, False))
    cold = job.run(FAR)
    (handed,) = engine.transfer(job.snapshot())
    manifest, blob = handed.manifest, handed.blob
    assert manifest["target"] == "walk.json"
    warm = start((LICENCE, False), known=json.loads(blob))[1].run(FAR)
    assert (warm["found"], warm["episodes"]) == (1, 1)
    assert warm["steps"] <= cold["steps"]
