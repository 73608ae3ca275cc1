"""One shard of a campaign, as a worker runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from untrod.core.errors import UntrodError
from untrod.core.protocols import Batch
from untrod.core.vocabulary import Trace
from untrod.engines.worst.engine import WorstConfig, WorstEngine
from untrod.engines.worst.job import WorstJob
from untrod.runtime.loading import TargetName

SOURCE = """
comparisons = 0

def quicksort(values: list[int]) -> list[int]:
    global comparisons
    if len(values) < 2:
        return values
    pivot, smaller, larger = values[0], [], []
    for value in values[1:]:
        comparisons += 1
        (smaller if value < pivot else larger).append(value)
    return [*quicksort(smaller), pivot, *quicksort(larger)]

def picky(values: list[int]) -> None:
    for left, right in zip(values, values[1:]):
        if left < right:
            return
    if values[0] > values[-1]:
        raise ValueError("falling all the way")

def wrapped(values: list[int]) -> list[int]:
    return sorted(values)

def bare(values):
    return values

def nothing() -> int:
    return 1

class Table:
    def insert(self, values: list[int]) -> None: ...

async def later(values: list[int]) -> None: ...

def lazy(values: list[int]):
    yield from values

number = 3
"""


@pytest.fixture
def job_of(tmp_path: Path, beacon):
    """Makes a job on a function of the source above."""
    module = f"subjects_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{module}.py").write_text(SOURCE)

    def named(attribute: str) -> TargetName:
        return TargetName(module, attribute, ".")

    def make(
        function: str, sizes=(4, 8, 16, 32), cost="branches", policy="climb", seed=0, learned=None, **more
    ) -> WorstJob:
        cost = named(cost) if cost == "comparisons" else cost
        config = WorstConfig(named(function), sizes, cost=cost, policy=policy, **more)
        engine = WorstEngine(config, seed, tmp_path, learned)
        return WorstJob(json.loads(json.dumps(engine.spec(0))), beacon)

    make.engine = lambda function: WorstEngine(WorstConfig(named(function), (4,)), 0, tmp_path)
    return make


def run(job, episodes):
    return job.run(Batch(episodes, 600.0))


def test_worst_inputs_are_reported_as_they_are_found(job_of):
    report = run(job_of("quicksort", sizes=(6,)), 600)
    assert report["valid"] == report["episodes"] <= 602
    assert report["unique"] == len(report["keys"]) == len(report["corpus"])
    assert report["places"][0]["cost"] == 15
    _, answers, text = report["corpus"][-1]
    assert answers[:3] == [1, 6, 15]
    assert text.startswith("size 6, 15 branches: quicksort([")


def test_a_quadratic_worst_case_of_a_fast_sort_is_an_alarm(job_of):
    job = job_of("quicksort")
    report, findings = {"exhausted": False}, []
    while not report["exhausted"] and not findings:
        report = run(job, 500)
        findings += report["findings"]
    (alarm,) = findings
    assert alarm["kind"] == "growth"
    assert alarm["title"].startswith("the worst input grows like n^2, the average one like n log n")
    replayed = job.replay(Trace(tuple(alarm["answers"])))
    assert replayed["finding"]["key"] == alarm["key"]
    assert replayed["cost"] == alarm["answers"][2] > 400


def test_a_claim_that_no_longer_holds_is_no_finding(job_of):
    job = job_of("quicksort")
    falling, claimed = [4, 3, 2, 1], 6
    assert job.replay(Trace((1, 4, claimed, *falling)))["finding"] is not None
    assert job.replay(Trace((1, 4, 2 * claimed, *falling)))["finding"] is None


def test_an_exception_of_the_worst_input_replays(job_of):
    report = run(job_of("picky", sizes=(3,)), 300)
    (finding,) = report["findings"]
    assert finding["kind"] == "failed"
    assert finding["value"]["text"].startswith("picky([")
    replayed = job_of("picky").replay(Trace(tuple(finding["answers"])))
    assert replayed["finding"]["key"] == finding["key"]
    assert replayed["outcome"] == "failed"


def test_a_declared_exception_is_no_finding(job_of):
    job = job_of("picky", sizes=(3,), invalid=(TargetName("builtins", "ValueError", "."),))
    report = run(job, 300)
    assert report["findings"] == []
    assert report["places"][0]["error"] == "ValueError: falling all the way"


@pytest.mark.parametrize("answers", [(), (0,), (0, 0, 0), (0, -1, 0, 5), (1, 2)])
def test_a_trace_that_means_nothing_is_invalid(job_of, answers):
    assert job_of("quicksort").replay(Trace(answers))["outcome"] == "invalid"


def test_a_restored_job_goes_on_bit_for_bit(job_of):
    whole = job_of("quicksort", sizes=(4, 8))
    run(whole, 150)
    blob = whole.snapshot()
    expected = run(whole, 100)
    resumed = job_of("quicksort", sizes=(4, 8))
    assert resumed.restore(blob)["episodes"] <= 152
    assert run(resumed, 100) == expected
    assert resumed.snapshot() == whole.snapshot()


@pytest.mark.parametrize("blob", [b"", b"nonsense", b"x\x9c\x03\x00\x00\x00\x00\x01"])
def test_what_is_no_snapshot_is_refused(job_of, blob):
    with pytest.raises(ValueError, match="not a snapshot"):
        job_of("quicksort").restore(blob)


def test_a_snapshot_of_another_policy_is_refused(job_of):
    blob = job_of("quicksort", policy="random").snapshot()
    with pytest.raises(ValueError, match="not a snapshot"):
        job_of("quicksort", policy="climb").restore(blob)


def test_a_counter_of_the_users_own(job_of):
    report = run(job_of("quicksort", sizes=(5,), cost="comparisons"), 300)
    assert report["places"][0]["cost"] == 10


def test_c_code_is_named(job_of):
    report = run(job_of("wrapped", cost="steps"), 2_000)
    assert any("C code, which cannot be traced" in text for text in report["notices"])


@pytest.mark.parametrize(
    ("function", "complaint"),
    [
        ("bare", "has no annotation"),
        ("nothing", "has no parameter to choose"),
        ("Table.insert", "is a method and has no object"),
        ("later", "is a coroutine function: calling it runs nothing of it"),
        ("lazy", "is a generator function: calling it runs nothing of it"),
        ("number", "not a function but int"),
        ("quicksrt", "did you mean quicksort"),
        ("", "is a module"),
    ],
)
def test_what_cannot_be_searched_is_told_in_a_line(job_of, function, complaint):
    with pytest.raises(UntrodError) as caught:
        job_of(function)
    assert complaint in str(caught.value)


def test_a_function_written_in_c_is_refused_for_costs_that_need_tracing(tmp_path, beacon):
    def job(cost):
        config = WorstConfig(TargetName("math", "gcd", "."), (2,), cost=cost)
        return WorstJob(WorstEngine(config, 0, tmp_path).spec(0), beacon)

    with pytest.raises(UntrodError, match=r"math:gcd is not written in Python: its steps cannot be traced"):
        job("steps")


def test_settings_survive_the_store():
    config = WorstConfig(
        TargetName("shop", "total", "src"),
        (4, 8),
        cost=TargetName("shop", "pages", "src"),
        shape=TargetName("shop", "shape", "src"),
        policy="pyse",
        invalid=(TargetName("builtins", "ValueError", "."),),
        timeout=2.5,
    )
    assert WorstConfig.from_json(json.loads(json.dumps(config.to_json()))) == config


def test_the_engine_merges_what_its_shards_report(job_of):
    jobs = [job_of("quicksort", sizes=(4, 8), seed=seed) for seed in (0, 1)]
    reports = [run(job, 200) for job in jobs]
    extra = job_of.engine("quicksort").extra(reports)
    best = [max(report["places"][at]["cost"] for report in reports) for at in (0, 1)]
    assert [row["worst"] for row in extra["sizes"]] == best
    assert extra["worst"]["reason"].startswith("not enough sizes")
    assert "infeasible" in extra["status"]
    assert job_of.engine("quicksort").extra([]) == {}


def left_behind(job_of, job):
    (handed,) = job_of.engine("quicksort").transfer(job.snapshot())
    key, manifest, table = handed.key, handed.manifest, handed.blob
    assert key.startswith("worst-")
    assert manifest["target"].endswith(":quicksort")
    return json.loads(table)


def test_the_next_campaign_starts_from_what_this_one_has_learned(job_of):
    job = job_of("quicksort", sizes=(6,))
    run(job, 300)
    learned = left_behind(job_of, job)
    report = run(job_of("quicksort", sizes=(6,), seed=5, learned=learned), 40)
    assert report["notices"] == [
        "climb starts from what it has learned at the sizes 6 (--cold: from nothing)"
    ]
    assert report["places"][0]["cost"] == 15, "the first row that is not random"
    cold = run(job_of("quicksort", sizes=(6,), seed=5, learned=learned, cold=True), 40)
    assert cold["notices"] == []


def test_what_was_learned_about_another_function_is_not_used(job_of):
    job = job_of("quicksort", sizes=(6,))
    run(job, 40)
    learned = left_behind(job_of, job)
    (told,) = run(job_of("picky", sizes=(6,), learned=learned), 5)["notices"]
    assert "the function has changed" in told
    for damaged in ({**learned, "lore": {}}, {**learned, "format": 0}, {}):
        (told,) = run(job_of("quicksort", sizes=(6,), learned=damaged), 5)["notices"]
        assert "cannot be used" in told


def test_a_resumed_shard_goes_on_from_its_snapshot_and_says_nothing_of_earlier_ones(job_of):
    job = job_of("quicksort", sizes=(6,))
    run(job, 40)
    again = job_of("quicksort", sizes=(6,), learned=left_behind(job_of, job))
    again.restore(job.snapshot())
    assert run(again, 5)["notices"] == []
