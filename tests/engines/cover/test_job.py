"""A shard without its worker: batches, reports, replay, snapshots, what the next campaign starts from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from untrod.core.protocols import Batch
from untrod.core.vocabulary import Trace
from untrod.engines.cover.case import Case, Input
from untrod.engines.cover.engine import CoverConfig, CoverEngine
from untrod.engines.cover.job import CoverJob
from untrod.runtime.loading import TargetName


@pytest.fixture
def make(load):
    """A job on one of the examples, or on a module that the test has written by `load`."""

    def job(target: str, beacon, *, folder: Path, transfer=None, seed: int = 0, searcher="none") -> CoverJob:
        module, _, attribute = target.partition(":")
        name = TargetName(module, attribute, ".")
        config = CoverConfig(name, searcher=searcher, pruning="none", timed=False, chance=searcher == "none")
        spec = CoverEngine(config, seed, folder, transfer).spec(0)
        return CoverJob(json.loads(json.dumps(spec)), beacon)

    return job


def whole(job: CoverJob, episodes: int) -> list[dict]:
    reports = []
    while not reports or (reports[-1]["episodes"] < episodes and not reports[-1]["exhausted"]):
        reports.append(job.run(Batch(50, 60.0)))
        json.dumps(reports[-1])
    return reports


def test_a_batch_reports_inputs_that_took_something_new(make, beacon, examples) -> None:
    job = make("bank", beacon, folder=examples)
    reports = whole(job, 2_000)
    last = reports[-1]
    assert last["exhausted"]
    assert last["untaken"] == []
    corpus = [entry for report in reports for entry in report["corpus"]]
    assert last["unique"] == len(corpus) == len({key for key, _, _ in corpus})
    _, answers, text = corpus[0]
    replayed = job.replay(Trace(tuple(answers)))
    case = Case.from_json(replayed["case"])
    assert case.arcs
    assert text.startswith(str(case.given)[:100])


def test_what_was_not_taken_is_listed_with_its_line(make, beacon, examples) -> None:
    last = whole(make("dates:parse", beacon, folder=examples), 50)[-1]
    assert ["dates", 50, 51, "if day_of_year(year, month, day) == 366:"] in [
        row[:4] for row in last["untaken"]
    ]
    assert all(row[4] and row[5] for row in last["untaken"])


def test_an_exception_that_nobody_meant_is_a_finding_and_replays(make, beacon, load, tmp_path) -> None:
    load("shares", source="def share(a: int, b: int):\n    if a // b == 70007:\n        return a\n")
    job = make("shares", beacon, folder=tmp_path)
    findings = [finding for report in whole(job, 300) for finding in report["findings"]]
    (finding,) = findings
    assert finding["title"].startswith("ZeroDivisionError")
    replayed = job.replay(Trace(tuple(finding["answers"])))
    assert replayed["finding"]["key"] == finding["key"]
    assert replayed["outcome"] == "failed"


@pytest.mark.parametrize(
    "answers", [(), (1, 2, 3), ("nonsense",), ('["dates:gone", [["gone", [], [], "call"]]]',)]
)
def test_a_trace_of_nothing_replays_as_invalid(make, beacon, examples, answers) -> None:
    replayed = make("dates", beacon, folder=examples).replay(Trace(answers))
    assert (replayed["outcome"], replayed["case"]) == ("invalid", None)


def test_a_snapshot_continues_where_it_was_taken(make, beacon, examples) -> None:
    job = make("dates", beacon, folder=examples)
    whole(job, 200)
    before = job.run(Batch(0, 60.0))
    other = make("dates", beacon, folder=examples, seed=3)
    restored = other.restore(job.snapshot())
    for key in ("episodes", "valid", "unique", "untaken", "gained"):
        assert restored[key] == before[key]
    assert len(restored["keys"]) == restored["unique"]
    assert other.run(Batch(30, 60.0))["episodes"] == 230
    with pytest.raises(ValueError, match="not a snapshot"):
        other.restore(b"nonsense")


def test_what_symbolic_execution_has_counted_survives_its_worker(make, beacon, examples) -> None:
    pytest.importorskip("z3")
    before = make("calc", beacon, folder=examples, searcher="depth")
    counted = before.run(Batch(40, 60.0))["symbolic"]
    after = make("calc", beacon, folder=examples, searcher="depth")
    assert after.restore(before.snapshot())["symbolic"] == counted
    assert counted["states"] > counted["live"] > 0
    later = after.run(Batch(10, 60.0))["symbolic"]
    assert later["paths"] > counted["paths"]
    assert later["peak"] >= counted["peak"]


def test_a_second_campaign_starts_from_the_inputs_of_the_first(make, beacon, examples) -> None:
    job = make("tokens", beacon, folder=examples)
    first = whole(job, 2_000)[-1]
    config = CoverConfig(TargetName("tokens", "", "."))
    (table,) = CoverEngine(config, 0, examples).transfer(job.snapshot())
    assert table.key == config.table_key
    assert table.manifest == {"engine": "cover", "target": "tokens"}
    second = whole(make("tokens", beacon, folder=examples, transfer=json.loads(table.blob)), 2_000)[-1]
    assert second["exhausted"]
    assert first["unique"] <= second["episodes"] < first["episodes"], (
        "the inputs that were worth keeping, and edges"
    )
    gained = dict(second["gained"])
    assert 0 < gained["earlier"] == sum(gained.values())


def test_a_transfer_that_cannot_be_read_is_named_and_left_alone(make, beacon, examples) -> None:
    report = whole(make("tokens", beacon, folder=examples, transfer={"archive": 3}), 100)[0]
    assert any("starting anew" in notice for notice in report["notices"])


def test_guessed_types_and_what_is_left_out_are_told(make, beacon, load, tmp_path) -> None:
    source = (
        "import abc\n\n\nclass Base(abc.ABC):\n    @abc.abstractmethod\n    def run(self): ...\n\n\n"
        "def f(text, n: int):\n    return text.strip() if n else n\n"
    )
    load("vague", source=source)
    report = make("vague", beacon, folder=tmp_path).run(Batch(5, 60.0))
    assert "vague:Base is left out: it is abstract: run is missing" in report["notices"]
    assert "the type of f.text was guessed from its use: it has none" in report["notices"]


def test_the_input_is_in_the_beacon_before_it_is_run(make, beacon, examples) -> None:
    job = make("triangle", beacon, folder=examples)
    job.run(Batch(1, 60.0))
    assert Input.from_trace(beacon.answers).entry == "triangle:triangle"
    assert not beacon.running


def test_episodes_that_killed_a_worker_are_passed_over(make, beacon, examples) -> None:
    job = make("triangle", beacon, folder=examples)
    job.skip([(0, True), (1, True)])
    report = job.run(Batch(3, 60.0))
    assert (report["episodes"], report["valid"]) == (3, 1)


NEEDY = """
class Need:
    def __init__(self, size: int) -> None:
        raise RuntimeError("not for you")


def use(need: Need) -> int:
    return 1


def other(n: int) -> int:
    return 2 if n else 3
"""


def test_an_entry_whose_arguments_cannot_be_made_is_named(make, load, beacon, tmp_path) -> None:
    load("needy", source=NEEDY)
    reports = whole(make("needy", beacon, folder=tmp_path), 300)
    (notice,) = [text for report in reports for text in report["notices"] if "never called" in text]
    assert notice.startswith("needy:use was never called: its arguments cannot be made (RuntimeError: not")


def test_full_coverage_is_not_the_end_an_edge_may_break_it(make, beacon, load, tmp_path) -> None:
    load("hundred", source="def part(a: int) -> int:\n    return 100 // a\n")
    reports = whole(make("hundred", beacon, folder=tmp_path), 2_000)
    findings = [finding for report in reports for finding in report["findings"]]
    assert [finding["title"].partition(":")[0] for finding in findings] == ["ZeroDivisionError"]
    assert findings[0]["level"] == "medium"
    assert reports[-1]["exhausted"]


def test_a_function_that_was_only_seen_to_raise_is_tried_until_it_returns(
    make, beacon, load, tmp_path
) -> None:
    load("straight", source="def shout(word):\n    return word.name.upper() if word == 1 else word + 'x'\n")
    reports = whole(make("straight", beacon, folder=tmp_path), 2_000)
    texts = [text for report in reports for _, _, text in report["corpus"]]
    assert any(" -> " in text for text in texts)


def test_an_argument_that_no_caller_passes_is_mended(make, beacon, load, tmp_path) -> None:
    source = (
        "from operator import add\n\n\ndef fold(binop, items):\n    if not items:\n"
        "        return fold(binop, items)\n    return items[0]\n\n\n"
        "def total():\n    return fold(add, [1])\n"
    )
    load("folding", source=source)
    reports = whole(make("folding:fold", beacon, folder=tmp_path), 2_000)
    findings = [finding for report in reports for finding in report["findings"]]
    assert "high" in [finding["level"] for finding in findings if "RecursionError" in finding["title"]]
