"""What workers say, changed in every way: it is taken as it is, or refused as a whole, and nothing breaks."""

from __future__ import annotations

import copy
import json
import random
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from untrod.core import shapes
from untrod.core.budget import Budget
from untrod.core.events import CampaignFinished, CorpusGrown, FindingFound
from untrod.core.shapes import Malformed
from untrod.core.vocabulary import Finding, Json, Outcome
from untrod.engines.cover.engine import CoverConfig
from untrod.engines.gui.engine import GuiConfig
from untrod.engines.inputs.backend.engine import HypothesisConfig
from untrod.engines.inputs.engine import InputsConfig
from untrod.engines.worst.engine import WorstConfig
from untrod.output.deliver import Claims, Recipe
from untrod.runtime.campaign import Engine
from untrod.runtime.channel import ChannelError, Decoder, encode
from untrod.runtime.limits import Limits
from untrod.runtime.loading import TargetName
from untrod.runtime.messages import Reply, reply_of
from untrod.runtime.pool import Pool
from untrod.runtime.replayer import Replayed
from untrod.runtime.reports import NO_NEWS, RESTORED
from untrod.runtime.shards import Shard
from untrod.session.engines import make_engine
from untrod.store import Store

BUDGET = Budget(episodes=1)
MUTANTS = 400
"""Of the frames of each engine."""

SOURCE = """
def pick(choose):
    return [choose(range(9)) for _ in range(choose(range(5)))]

def check(values):
    assert sum(values) < 20, "too much"

def total(values: list[int]) -> int:
    found = 0
    for left in values:
        for right in values:
            if left > right:
                found += 1
    if values and values[0] == 77:
        return found // 0
    return found // len(values)
"""
TESTS = """
from hypothesis import assume, given, strategies as st

@given(xs=st.lists(st.integers(0, 20), max_size=10))
def test_sum(xs):
    assume(len(xs) != 3)
    assert sum(xs) < 90
"""
SCREENS = {
    "format": "untrod-screens",
    "version": 1,
    "name": "walk",
    "start": "main",
    "screens": {
        "main": {"attrs": {"text": []}, "actions": [{"type": "click", "detail": "About", "to": "about"}]},
        "about": {"attrs": {"text": ["GPL"]}, "actions": [{"type": "back", "to": "main"}]},
    },
}


@dataclass
class Recorded:
    """What a worker of an engine has really answered, by operation."""

    engine: Engine
    recipe: Recipe
    frames: list[tuple[str, dict[str, Json], bytes]] = field(default_factory=list)

    def bodies(self, op: str) -> list[Json]:
        return [header["body"] for each, header, _ in self.frames if each == op]


CONFIGS: dict[str, Any] = {
    "inputs": InputsConfig(TargetName("work", "pick", "."), test=TargetName("work", "check", ".")),
    "worst": WorstConfig(TargetName("work", "total", "."), (2, 3, 4, 5), policy="climb"),
    "cover": CoverConfig(TargetName("work", "total", "."), searcher="none", timed=False),
    "gui": GuiConfig("walk.json", (("F [text ~ GPL]", False, ""), ("F [text ~ no]", False, "")), "model"),
    "hypothesis": HypothesisConfig(("test_it.py",)),
}


@pytest.fixture(scope="module", params=CONFIGS)
def recorded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recorded]:
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "work.py").write_text(SOURCE)
    (folder / "test_it.py").write_text(TESTS)
    (folder / "walk.json").write_text(json.dumps(SCREENS))
    with Store.open(folder / ".untrod") as store:
        config = json.loads(json.dumps(CONFIGS[request.param].to_json()))
        engine, recipe = make_engine(request.param, config, 0, folder, 1, store)
        found = Recorded(engine, recipe)
        with Pool(
            engine.job, [engine.spec(0)], limits=Limits(), allow=frozenset(), project=folder,
            scratch=folder / "scratch",
        ) as pool:  # fmt: skip
            found.frames += [framed(reply) for reply in pool.start()]
            blob = b""
            for _ in range(3):
                found.frames.append(asked(pool, "run", {"episodes": 40, "seconds": 60.0}))
            found.frames.append(asked(pool, "snapshot"))
            blob = found.frames[-1][2]
            found.frames.append(asked(pool, "restore", None, blob))
            found.frames.append(asked(pool, "skip", {"episodes": [[99_999, True]]}))
            for answers in traces_in(found):
                found.frames.append(asked(pool, "replay", {"answers": answers}))
        assert {op for op, _, _ in found.frames} >= {"open", "run", "snapshot", "restore", "skip", "replay"}
        yield found


def asked(pool: Pool, op: str, body: Json = None, blob: bytes = b"") -> tuple[str, dict[str, Json], bytes]:
    pool.send(0, op, body, blob)
    while not (messages := pool.wait(1.0)):
        pass
    (reply,) = messages
    assert isinstance(reply, Reply), reply
    return framed(reply)


def framed(reply: Reply) -> tuple[str, dict[str, Json], bytes]:
    header = {"op": reply.op, "body": reply.body, "refusals": list(reply.refusals)}
    return reply.op, header, reply.blob


def traces_in(found: Recorded) -> list[Json]:
    reports = found.bodies("run")
    traces = [entry[1] for report in reports for entry in report.get("corpus", ())[-3:]]
    return [*traces, *(finding["answers"] for report in reports for finding in report["findings"])]


# ---- mutation ----

WORTHLESS = (
    None, True, False, -1, 0, 1, 2**53 + 1, 2**70, 10**4000, 1.5, 1e308, float("inf"), float("nan"), "", "x",
    "\ud800", "..", "../../etc/passwd", "a" * (2**20 + 1), "import os\nos.abort()", [], [[]], {}, {"key": 1},
    [None], ["atom", "__import__('os')"], ["call", ["text", "x"], [], []], ["display", "[", 5],
)  # fmt: skip


def mutated(chance: random.Random, body: Json) -> Json:
    """Something in it is dropped, replaced, retyped, nested, repeated or swapped."""
    body = copy.deepcopy(body)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        places = list(places_in(body))
        holder, key = chance.choice(places)
        match chance.choice(("drop", "worthless", "worthless", "retype", "nest", "repeat", "swap")):
            case "drop":
                del holder[key]
            case "worthless":
                holder[key] = copy.deepcopy(chance.choice(WORTHLESS))
            case "retype":
                holder[key] = retyped(holder[key])
            case "nest":
                for _ in range(chance.choice((1, 5, 300))):
                    holder[key] = [holder[key]]
            case "repeat":
                holder[key] = [holder[key], holder[key]]
            case "swap":
                other, place = chance.choice(places)
                if not any(each is holder for each, _ in places_in([other[place]])):
                    holder[key] = copy.deepcopy(other[place])
    return body


def retyped(value: Json) -> Json:
    match value:
        case bool():
            return int(value)
        case int() | float():
            return str(value)
        case str():
            return list(value[:50])
        case list():
            return {str(number): each for number, each in enumerate(value)}
        case dict():
            return list(value.values())
    return 0


def places_in(body: Json) -> Iterator[tuple[Any, Any]]:
    waiting = [body]
    while waiting:
        holder = waiting.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        for key in keys:
            yield holder, key
            if isinstance(holder[key], dict | list):
                waiting.append(holder[key])


# ---- what a campaign makes of it ----


class Scripted:
    """A replayer with the answers of the test."""

    def __init__(self, report: Json) -> None:
        self._report = report

    def replay(self, trace: object) -> Replayed:
        body = self._report
        key = body["finding"]["key"] if body["finding"] else ""
        return Replayed(Outcome(body["outcome"]), key, tuple(body["answers"]), body)

    def expired(self) -> bool:
        return False

    def hurry(self) -> bool:
        return True


def absorbed(found: Recorded, reply: Reply, folder: Path) -> None:
    """Raises Malformed, and then has taken in nothing; else all that comes of it is made."""
    engine, body = found.engine, reply.body
    if reply.op == "restore":
        RESTORED(body, "report")
        list(engine.absorb({**NO_NEWS, **body}))
        Shard(0, None).restored(body)
        engine.extra([body])
    elif reply.op == "run":
        take(found, body, found.bodies("replay")[0] if found.bodies("replay") else None, folder)
    elif reply.op == "replay":
        engine.check_replay(body)
        for report in found.bodies("run"):
            take(found, report, body, folder)
    elif reply.op == "snapshot":
        list(getattr(engine, "lessons", lambda blob: ())(reply.blob))


def take(found: Recorded, report: Json, replay: Json, folder: Path) -> None:
    RESTORED(report, "report")
    shard = Shard(0, None)
    shard.check(report)
    news = list(found.engine.absorb(report))
    shard.report(report)
    extra = found.engine.extra([report])
    with Store.open(folder / ".untrod") as store:
        row = store.create_campaign("inputs", "x", {"session": {}}, 0, BUDGET)
        recorder = store.recorder(row.id)
        for item in news:
            recorder(FindingFound(*item, 0) if isinstance(item, tuple) else item)
        recorder.flush()
    counts = (report["episodes"], report["valid"], report["unique"], 0, 1.0, 1.0, extra)
    finished = CampaignFinished("c", "budget", *counts)
    found.recipe.words(finished)
    found.recipe.sections(extra)
    if replay is None:
        return
    findings = [item[0] for item in news if isinstance(item, tuple)]
    assert all(isinstance(finding, Finding) for finding in findings)
    corpus = [item for item in news if isinstance(item, CorpusGrown)]
    cases = found.recipe.cases(findings, corpus, Scripted(replay))  # type: ignore[arg-type]
    if isinstance(found.recipe, Claims):
        found.recipe.claims(extra, cases, None)


def test_true_frames_are_taken(recorded: Recorded, tmp_path: Path) -> None:
    for op, header, blob in recorded.frames:
        absorbed(recorded, reply_of(0, op, header, blob), tmp_path)


def test_a_mutant_is_refused_as_a_whole_or_taken(recorded: Recorded, tmp_path: Path) -> None:
    chance = random.Random(5)
    refused = 0
    for number in range(MUTANTS):
        op, header, blob = chance.choice(recorded.frames)
        if chance.random() < 0.1:
            header = {**header, "op": chance.choice(("run", "open", "replay", "close", ""))}
        frame = bytearray(encode(mutated(chance, header), blob))
        if chance.random() < 0.1:
            frame[chance.randrange(len(frame))] ^= 1 << chance.randrange(8)
        elif chance.random() < 0.1:
            frame += frame[: chance.randrange(len(frame))]
        try:
            for got, data in Decoder().feed(bytes(frame)):
                absorbed(recorded, reply_of(0, op, got, data), tmp_path)
        except (Malformed, ChannelError):
            refused += 1
        except Exception as error:
            raise AssertionError(f"mutant {number}: {bytes(frame[:2000])!r}") from error
    assert refused > MUTANTS // 3


def test_a_mutant_of_a_snapshot_teaches_nothing_or_something(recorded: Recorded) -> None:
    lessons = getattr(recorded.engine, "lessons", None)
    if lessons is None:
        pytest.skip("it leaves nothing behind")
    chance = random.Random(6)
    (true,) = (blob for op, _, blob in recorded.frames if op == "snapshot")
    bomb = zlib.compress(b" " * 2**26)
    bodies = [json.dumps(mutated(chance, json.loads(zlib.decompress(true)))) for _ in range(100)]
    for blob in (b"", b"x", true[:-5], bomb, *(zlib.compress(body.encode()) for body in bodies)):
        try:
            list(lessons(blob))
        except Malformed:
            pass


def test_a_snapshot_is_not_unpacked_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shapes, "_LARGEST_SNAPSHOT", 1000)
    with pytest.raises(Malformed, match="too large"):
        shapes.unpacked(zlib.compress(b" " * 2000))


def test_a_large_report_is_checked_in_no_time(recorded: Recorded) -> None:
    if recorded.engine.name != "inputs":
        pytest.skip("its reports are small")
    report = {**recorded.bodies("run")[0], "keys": [f"{number:024x}" for number in range(10_000)]}
    report["corpus"] = report["findings"] = []
    started = time.process_time()
    for _ in range(10):
        RESTORED(report, "report")
        list(recorded.engine.absorb(report))
    assert time.process_time() - started < 10 * 0.02, "two milliseconds each on an idle machine"
