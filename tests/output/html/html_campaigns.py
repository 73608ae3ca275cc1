"""Campaigns to report on. `EVIL` is what a hostile target would put wherever it can."""

from __future__ import annotations

from untrod.core.budget import Budget
from untrod.core.events import (
    CampaignFinished,
    CampaignStarted,
    CorpusGrown,
    Event,
    FindingFound,
    Notice,
    Progress,
    TestWritten,
)
from untrod.core.vocabulary import Finding, Json, Trace
from untrod.store import Store

EVIL = (
    "</pre></svg><script>alert(1)</script><img src=//evil.example/x onerror=alert(2)>\" ' `"
    "\u202e\ud800\x1b[2J"
)


def run(
    store: Store,
    engine: str,
    target: str,
    config: dict[str, Json],
    history: list[Progress],
    findings: tuple[Finding, ...] = (),
    others: tuple[Event, ...] = (),
    seed: int = 7,
) -> str:
    """A campaign that told all of this; its id. Progress lies seconds apart, so all of it is kept."""
    row = store.create_campaign(
        engine, target, {**config, "session": {"workers": 1}}, seed, Budget(wall=60.0)
    )
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += 30.0
        return now

    with store.recorder(row.id, clock=clock) as record:
        record(CampaignStarted(row.id, engine, target, seed, {}, 0))
        for number, progress in enumerate(history):
            record(progress)
            if number == 0:
                for finding in findings:
                    record(FindingFound(finding, episode=5, shard=0))
        for event in others:
            record(event)
        last = history[-1]
        counts = (last.episodes, last.valid, last.unique, len(findings), last.wall, last.cpu)
        record(CampaignFinished(row.id, "episodes", *counts, last.extra))
    return row.id


def moment(episodes: int, extra: Json = None) -> Progress:
    return Progress(episodes, episodes // 2, episodes // 4, 0, episodes / 10, episodes / 20, extra or {})


def failure(title: str = "ValueError (f, a.py:3)", text: str = "f([1, 2])") -> Finding:
    detail = {"value": {"text": text}, "traceback": f"  line 3\n{title}\n", "held": [5, 5]}
    return Finding(f"failed:{title}", "failed", title, Trace((1, 2)), detail)


def inputs(store: Store, text: str = "ok", seed: int = 7, learner: str = "auto") -> str:
    avoided = {"site": f"{text}:2:11", "option": 0, "options": 2, "after": [text], "within": [], "tried": 91}
    return run(
        store,
        "inputs",
        f"shop.py:{text}",
        {"learner": learner, "generator": {"module": "shop", "attribute": "ok", "root": "."}},
        [moment(episodes, {"states": 3, "convicted": [avoided]}) for episodes in range(0, 401, 40)],
        (failure(f"ValueError {text}", text),),
        (
            CorpusGrown("a" * 24, Trace((1, 2, 3)), f"sample {text}"),
            TestWritten(f"tests/test_{text[:3]}.py", (failure(f"ValueError {text}").id,)),
            Notice(f"refused {text}"),
        ),
        seed=seed,
    )


def hypothesis(store: Store, text: str = "ok") -> str:
    verdict = {"text": text, "choice": f"`xs[i]={text}`", "valid": 0, "tried": 13, "at": text, "source": text}
    line = {"text": text, "choice": "", "valid": 4, "tried": 9, "at": text, "source": f"assume({text})"}
    extra = {"rejections": {f"test_x.py::{text}": [verdict, line]}}
    return run(store, "hypothesis", f"test_{text}.py", {}, [moment(each, extra) for each in (0, 50, 100)])


def cover(store: Store, text: str = "ok", covered: int = 18) -> str:
    def extra(taken: int) -> Json:
        return {
            "branches": 20,
            "covered": taken,
            "imported": 1,
            "untaken": [["shop", 12, 13, f"if {text}:", f"never {text}", f"why {text}"]],
            "gained": {f"random {text}": 30, "covnew": 4, "idle": 0},
            "entries": 2,
            "symbolic": {"paths": taken, "infeasible": 1, "dropped": 2 * taken, "peak": 6},
        }

    history = [moment(10 * taken, extra(taken)) for taken in (1, 9, covered)]
    return run(store, "cover", f"shop.py {text}", {}, history, (failure(f"crash {text}"),))


def worst(store: Store, text: str = "ok") -> str:
    def extra(sizes: tuple[int, ...]) -> Json:
        rows = [
            {
                "size": size,
                "worst": 9 * size**2,
                "average": 20.0 * size,
                "input": f"sort({text})",
                "by": f"climb {text}",
                "attempts": 9,
                "raises": text,
                "closed": text,
            }
            for size in sizes
        ]
        growth = {"class": "n^2", "confidence": 0.99, "rival": "n", "formula": "9 n^2", "reason": ""}
        average = {"class": "n", "confidence": 0.8, "rival": "", "formula": f"20 n {text}", "reason": ""}
        more = {"alarm": text, "engine": text, "paths": sizes[-1], "infeasible_share": 0.1}
        return {"cost": f"steps {text}", "sizes": rows, "worst": growth, "average": average, **more}

    sizes = (4, 8, 16, 32)
    history = [moment(100 * count, extra(sizes[:count])) for count in (1, 2, 3, 4)]
    grows = Finding("growth", "growth", f"grows like n^2 {text}", Trace((32,)), {"value": {"text": text}})
    return run(store, "worst", f"shop.py:sort {text}", {}, history, (grows,))


SPEC = 'F [text ~ "saved"]'


def gui(store: Store, text: str = "ok") -> str:
    extra = {"screens": 3, "states": 4, "found": 1, "of": 2, "steps": 40, "verb": "shown"}
    config = {
        "target": f"app {text}",
        "specs": [[SPEC, False, f"it saves {text}"], ["G ![event = crash]", True, ""]],
        "driver": "model",
        "origins": [],
    }
    detail = {
        "session": True,
        "value": {"text": text},
        "explanation": f"because {text}",
        "formula": f"F {text}",
        "held": [5, 5],
        "reasons": [[0, "text", "~", text, False], [2, "text", "~", text, True]],
        "steps": [{"action": f"click {text}", "screen": f"home {EVIL}", "url": text, "events": []}],
    }
    trace = Trace((f"satisfy {SPEC}", "click"))
    witness = Finding(f"satisfy {SPEC}", "witness", f"it saves {text}: shown in 1 step", trace, detail)
    history = [moment(each, {**extra, "steps": each * 8}) for each in (1, 5, 9)]
    return run(store, "gui", f"app {text}", config, history, (witness,))


ALL = {"inputs": inputs, "hypothesis": hypothesis, "cover": cover, "worst": worst, "gui": gui}
