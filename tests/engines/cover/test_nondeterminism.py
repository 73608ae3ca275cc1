"""A run that draws from chance is noticed, and what is said of it holds with other draws, too."""

from __future__ import annotations

import sys

import pytest

from untrod.engines.cover.case import Input, Step
from untrod.engines.cover.job import CoverJob
from untrod.runtime.loading import TargetName
from untrod.source.literals import express

SOURCE = """
import datetime, math, os, random, secrets, time, uuid

def global_random(n: int): return random.random()
def own_generator(n: int): return random.Random().randint(0, 5)
def shuffled(n: int):
    items = list(range(10))
    random.shuffle(items)
    return items
def token(n: int): return secrets.token_hex(4)
def unique(n: int): return uuid.uuid4().hex
def entropy(n: int): return os.urandom(4)
def clock(n: int): return time.time()
def now(n: int): return datetime.datetime.now()
def today(n: int): return datetime.date.today().isoformat()

def pure(n: int): return math.sqrt(abs(n)) + len(str(n))

def sorted_by_chance(n: int):
    items = [3, 1, 2]
    random.shuffle(items)
    return sorted(items)

def coin(n: int):
    if random.random() < 0.5:
        return "heads"
    return "tails"

def refuses(n: int):
    if random.random() < 0.5:
        raise ValueError("not this time")
    return n

def message(n: int):
    raise ValueError(f"no {random.random()}")
"""
DRAWS = ["global_random", "own_generator", "shuffled", "token", "unique", "entropy", "clock", "now", "today"]


class Silent:
    def begin(self, episode: int) -> None: ...
    def trace(self, answers: list[int]) -> None: ...
    def end(self) -> None: ...


@pytest.fixture
def job(tmp_path):
    (tmp_path / "by_chance.py").write_text(SOURCE)
    paths = list(sys.path)
    target = TargetName("by_chance", "", str(tmp_path)).to_json()
    yield CoverJob({"project": str(tmp_path), "target": target, "also": [], "seed": 0}, Silent())
    sys.path[:] = paths
    sys.modules.pop("by_chance", None)


def given(name: str) -> Input:
    return Input(f"by_chance:{name}", (Step(name, (express(3),)),))


def case(job: CoverJob, name: str):
    return job.replay(given(name).trace())["case"]


@pytest.mark.parametrize("name", DRAWS)
def test_a_draw_is_noticed_and_what_it_gives_is_not_pinned(job, name):
    assert job.search.subject.run(given(name), job.search.subject.begin()).drew
    _, value, text, *_ = case(job, name)["outcome"]
    assert (value, text) == (None, "")


def test_what_draws_nothing_is_pinned(job):
    assert not job.search.subject.run(given("pure"), job.search.subject.begin()).drew
    assert case(job, "pure")["outcome"][1] == ["atom", "2.732050807568877"]


def test_what_every_draw_gives_is_pinned(job):
    assert case(job, "sorted_by_chance")["outcome"][2] == "[1, 2, 3]"


def test_branches_that_a_draw_decides_are_loose(job):
    found = case(job, "coin")
    assert {arc[2] for arc in found["loose"]} == {26, 27}
    assert not {26, 27} & {arc[2] for arc in found["arcs"]}


def test_what_ends_in_another_way_with_another_draw_is_no_case(job):
    assert case(job, "refuses") is None


def test_of_a_message_that_differs_only_the_exception_is_kept(job):
    error, _, text, *_ = case(job, "message")["outcome"]
    assert (error, text) == (["builtins", "ValueError"], "")
