"""A shard on a C program, without a supervisor."""

from __future__ import annotations

from pathlib import Path

import pytest

from untrod.core.errors import UntrodError
from untrod.core.protocols import Batch
from untrod.core.vocabulary import Trace
from untrod.engines.cover.case import Case
from untrod.engines.cover.native.emit import can_be_tested
from untrod.engines.cover.native.engine import NativeConfig, NativeEngine
from untrod.engines.cover.native.inputs import as_input
from untrod.engines.cover.native.job import NativeJob
from untrod.engines.cover.native.target import NativeTarget
from untrod.symbolic.native.fields import Fields

BUGS = r"""
#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int first(char *text) { char *p = malloc(2); memcpy(p, text, strlen(text)); return p[0] == 1; }
static int second(char *text) { char *p = malloc(2); memcpy(p, text, strlen(text)); return p[0] == 1; }
int main(int n, char **v) {
  int most = 2147483600 + n;
  switch (v[1][0]) {
    case 'a': return first("abc");
    case 'b': return second("abc");
    case 'c': abort();
    case 'd': assert(n > 9);
    case 'e': return most + v[1][0] == 1;
    case 'f': return (most * v[1][0] == 1) + (most * v[1][1] == 1);
    case 'g': return (most * v[1][1] == 1) + (most * v[1][0] == 1);
    case 'h': raise(SIGRTMIN + 3);
    case 'i': free(v[1] + 1); return 0;
    case 'j': free(v[1] + 2); return 0;
    case 'k': raise(SIGKILL);
    case 'l': if (fork()) return 1; for (;;) pause();
    case 'm': if (fork()) for (;;) pause(); for (;;) pause();
    case 'n': for (;;) ;
  }
  return 0;
}
"""


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
        job.search.subject.close()


def target(calc: Path) -> tuple[NativeTarget, Path]:
    return NativeTarget("native/calc.c", Fields((4,), 6)), calc.parents[1]


def test_symbolic_execution_finds_the_planted_crashes(start, calc) -> None:
    job = start(*target(calc), searcher="covnew", chance=False)
    findings, report = {}, {}
    for _ in range(40):  # by the seed, 7 to 37 batches were needed
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


@pytest.fixture
def replayed(start, tmp_path):
    """`replayed(b"x")`: what the program BUGS does with that argument."""
    (tmp_path / "bugs.c").write_text(BUGS)
    program = NativeTarget("bugs.c", Fields((2,), 0))
    job = start(program, tmp_path, searcher="none")
    return lambda text: job.replay(as_input(program.fields.check((text, b"")), program).trace())


def test_what_only_a_sanitizer_shows_shows_in_every_replay(replayed) -> None:
    for text, what in ((b"a", "heap-buffer-overflow (bugs.c:7)"), (b"e", "signed integer overflow")):
        first, again = replayed(text), replayed(text)
        assert what in first["finding"]["title"]
        assert again["finding"]["key"] == first["finding"]["key"]
        assert again["outcome"] == "crashed"


def test_bugs_at_two_places_or_of_two_kinds_are_two_findings(replayed) -> None:
    texts = [bytes([byte]) for byte in b"abcdefhijk"] + [b"g1"]
    keys = {text: replayed(text)["finding"]["key"] for text in texts}
    assert len(set(keys.values())) == len(texts), keys


def test_the_same_bug_with_other_numbers_is_one_finding(replayed) -> None:
    assert replayed(b"f1")["finding"]["key"] == replayed(b"f2")["finding"]["key"]


def test_a_signal_that_has_no_name(replayed) -> None:
    found = replayed(b"h")
    assert found["finding"]["title"] == "signal 37: ./bugs h"
    assert "signal 37" in str(Case.from_json(found["case"]))


def test_what_leaves_processes_gets_no_test(replayed) -> None:
    assert can_be_tested(Case.from_json(replayed(b"o")["case"]))
    assert not can_be_tested(Case.from_json(replayed(b"l")["case"]))


def test_one_process_that_hangs_is_not_many(replayed) -> None:
    assert replayed(b"n")["finding"]["title"] == "does not end: ./bugs n"
    title = replayed(b"m")["finding"]["title"]
    assert title == "does not end, nor do processes that it started: ./bugs m"
