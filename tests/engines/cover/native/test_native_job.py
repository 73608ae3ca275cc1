"""A shard on a C program, without a supervisor."""

from __future__ import annotations

from pathlib import Path

import pytest

from untrod.core.errors import UntrodError
from untrod.core.protocols import Batch
from untrod.core.vocabulary import Trace
from untrod.engines.cover.native.engine import NativeConfig, NativeEngine
from untrod.engines.cover.native.job import NativeJob
from untrod.engines.cover.native.target import NativeTarget
from untrod.symbolic.native.fields import Fields


class SilentBeacon:
    def begin(self, episode: int) -> None: ...
    def trace(self, answers: list[int]) -> None: ...
    def end(self) -> None: ...


@pytest.fixture
def start(tmp_path, monkeypatch):
    """`start(target, ...)`: a job in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    made = []

    def make(target: NativeTarget, project: Path, seed: int = 0, **options) -> NativeJob:
        config = NativeConfig(target, **{"timed": False, "timeout": 3.0, **options})
        job = NativeJob(NativeEngine(config, seed, project).spec(0), SilentBeacon())
        made.append(job)
        return job

    yield make
    for job in made:
        job._subject.close()


def target(calc: Path) -> tuple[NativeTarget, Path]:
    return NativeTarget("native/calc.c", Fields((4,), 6)), calc.parents[1]


def test_symbolic_execution_finds_the_planted_crashes(start, calc) -> None:
    job = start(*target(calc), searcher="covnew", chance=False)
    findings, report = {}, {}
    for _ in range(20):
        report = job.run(Batch(50, 60))
        findings |= {finding["key"]: finding for finding in report["findings"]}
        if len(findings) >= 3:
            break
    said = " ".join(findings)
    kinds = ("division by zero", "null pointer", "out of bounds", "hang")
    assert sum(kind in said for kind in kinds) >= 3, said
    assert report["branches"] == 51
    assert report["symbolic"]["paths"] > 20
    assert report["symbolic"]["diverged"] <= report["symbolic"]["paths"] // 20
    trace = next(iter(findings.values()))
    again = job.replay(Trace(tuple(trace["answers"])))
    assert again["finding"]["key"] == trace["key"]
    assert "./calc" in trace["title"]


def test_chance_alone_and_the_same_again(start, calc) -> None:
    def story():
        job = start(*target(calc), searcher="none")
        report = job.run(Batch(60, 60))
        return report["episodes"], report["corpus"], sorted(row[:3] for row in report["untaken"])

    assert story() == story()


def test_a_shard_goes_on_from_its_snapshot(start, calc) -> None:
    job = start(*target(calc), searcher="none")
    before = job.run(Batch(40, 60))
    other = start(*target(calc), searcher="none")
    restored = other.restore(job.snapshot())
    assert restored["episodes"] == before["episodes"]
    assert restored["untaken"] == before["untaken"]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("int main( {", "does not compile"),
        ("int main(void) { return 0; }", "no branches"),
    ],
)
def test_sources_that_cannot_be_used(start, tmp_path, source, words) -> None:
    (tmp_path / "bad.c").write_text(source)
    with pytest.raises(UntrodError, match=words):
        start(NativeTarget("bad.c", Fields((4,), 0)), tmp_path)
