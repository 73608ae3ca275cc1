"""Stores as somebody else may hand them over: rows are as their writer likes, and have right checksums."""

from __future__ import annotations

import copy
import json
import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from untrod.core.budget import Budget
from untrod.core.events import (
    CampaignFinished,
    CampaignStarted,
    Checkpoint,
    CorpusGrown,
    FindingFound,
    Notice,
    Progress,
    TestWritten,
    WorkerLost,
)
from untrod.core.vocabulary import Finding, Trace
from untrod.engines.cover.engine import CoverConfig
from untrod.engines.cover.native.engine import NativeConfig
from untrod.engines.cover.native.target import NativeTarget
from untrod.engines.gui.engine import GuiConfig
from untrod.engines.inputs.backend.engine import HypothesisConfig
from untrod.engines.inputs.engine import InputsConfig
from untrod.engines.worst.engine import WorstConfig
from untrod.runtime.limits import Limits
from untrod.runtime.loading import TargetName
from untrod.store import Store
from untrod.store.sheets import seal
from untrod.symbolic.native.fields import Fields

NAME = TargetName("shop", "total", ".")
GROWTH = {"class": "n", "confidence": 0.9, "rival": "", "formula": "9 n", "reason": ""}
SIZE = {
    "size": 4,
    "worst": 9,
    "average": 2.0,
    "input": "f(1)",
    "by": "climb",
    "attempts": 9,
    "raises": "",
    "closed": "",
}
ENGINES: dict[str, tuple[Any, dict[str, Any]]] = {
    "inputs": (
        InputsConfig(NAME),
        {
            "states": 3,
            "convicted": [
                {"site": "total:2:4", "option": 0, "options": 2, "after": ["1"], "within": [], "tried": 9}
            ],
        },
    ),
    "hypothesis": (
        HypothesisConfig(("test_shop.py",)),
        {
            "rejections": {
                "test_shop.py::test_a": [
                    {"text": "a", "choice": "x", "valid": 0, "tried": 3, "at": "b", "source": "c"}
                ]
            }
        },
    ),
    "worst": (
        WorstConfig(NAME, (4, 8)),
        {
            "cost": "steps",
            "sizes": [SIZE],
            "worst": GROWTH,
            "average": GROWTH,
            "engine": "lean",
            "paths": 3,
            "infeasible_share": 0.5,
        },
    ),
    "cover": (
        CoverConfig(NAME),
        {
            "branches": 4,
            "covered": 2,
            "imported": 1,
            "entries": 1,
            "untaken": [["shop", 3, 4, "if a:", "never", "why"]],
            "gained": {"random": 3},
            "symbolic": {"paths": 3, "infeasible": 1, "dropped": 2, "peak": 4},
        },
    ),
    "native": (
        NativeConfig(NativeTarget("shop.c", Fields((2,)))),
        {
            "branches": 4,
            "covered": 2,
            "imported": 0,
            "entries": 1,
            "untaken": [],
            "gained": {},
            "symbolic": {},
            "unknown": {"calls": {"ioctl": 2}},
            "left_over": 1,
        },
    ),
    "gui": (
        GuiConfig("shop.json", (("F [text ~ a]", False, "a"),), driver="model"),
        {"found": 1, "of": 1, "verb": "shown", "steps": 9, "screens": 2, "states": 3},
    ),
}
GRAPH = {"format": "untrod-screens", "version": 1, "start": "main", "screens": {"main": {"actions": []}}}


def a_store(folder: Path) -> None:
    """One campaign of each engine, with all that a store keeps, started by nobody known."""
    session = {"workers": 1, "limits": Limits().to_json(), "allow": [], "tests": "tests/untrod", "on": ""}
    with Store.open(folder) as store:
        for engine, (config, extra) in ENGINES.items():
            row = store.create_campaign(
                engine, f"shop.py:{engine}", {**config.to_json(), "session": session}, 7, Budget(episodes=90)
            )
            fill(store, row.id, engine, extra)
        store.save_table(
            "gui-table", {"engine": "gui", "target": "shop.json"}, json.dumps({"graph": GRAPH}).encode()
        )
        (folder / "screens").mkdir()


def fill(store: Store, campaign: str, engine: str, extra: dict[str, Any]) -> None:
    finding = a_finding(engine)
    with store.recorder(campaign) as record:
        record(CampaignStarted(campaign, engine, "shop.py", 7, {"episodes": 90}, 0))
        record(Progress(10, 5, 2, 0, 1.0, 0.5, extra))
        record(CorpusGrown("a" * 24, Trace((1, 2)), "value(1)"))
        record(FindingFound(finding, 3, 0))
        record(Notice("refused"))
        record(WorkerLost(0, "SIGSEGV", 1))
        record(TestWritten("tests/untrod/test_shop.py", (finding.id,)))
        record(Checkpoint(0, 10, b"learned"))
        record(CampaignFinished(campaign, "episodes", 20, 9, 4, 1, 2.0, 1.0, extra))


def a_finding(engine: str) -> Finding:
    step = {"events": [["dialog", "x"]], "action": "click", "screen": "s", "activity": "", "url": ""}
    detail = {
        "value": {"text": "f(1)", "node": ["atom", "1"]},
        "held": [5, 5],
        "exception": {"module": "builtins", "name": "ValueError"},
        "arguments": {"n": ["atom", "1"]},
        "traceback": "line 3",
        "stage": "test",
        "test": "test_shop.py::test_a",
        "session": engine == "gui",
        "reasons": [[1, "text", "~", "a", True]],
        "steps": [step],
        "formula": "F a",
        "explanation": "because",
        "log": "said",
    }
    return Finding(f"failed:ValueError:{engine}", "failed", f"ValueError in {engine}", Trace((1, 2)), detail)


# Mutations

HOSTILE: tuple[Any, ...] = (
    None,
    True,
    -1,
    2**70,
    1e308,
    float("nan"),
    float("inf"),
    "",
    "x" * 5000,
    "../../../escaped",
    "/etc/passwd",
    "-p evil",
    "http://[::1",
    "http://x:99999/../../y",
    "a\x1b[2Jb\nc\u202e\ud800",
    "<script>alert(1)</script>",
    [],
    {},
    [[]],
    {"a": {"b": []}},
    [None, -1, "x"],
    {"module": "os", "attribute": "system", "root": "/"},
)
JSON_COLUMNS = {
    "campaigns": ("config", "budget", "extra", "rows", "target", "reason"),
    "findings": ("body",),
    "corpus": ("body",),
    "events": ("body",),
    "tests": ("findings",),
}
TABLES = ("campaigns", "campaigns", "findings", "events", "corpus", "tests", "checkpoints")


def mutate(folder: Path, chance: random.Random) -> tuple[str, str]:
    """Change something in one row, and give it its checksum. Whose it is, and what was done, for people."""
    table = chance.choice(TABLES)
    with closing(sqlite3.connect(folder / "store.sqlite3")) as connection:
        names = [each[1] for each in connection.execute(f"PRAGMA table_info({table})")]
        rows = connection.execute(f"SELECT * FROM {table}").fetchall()
        row = dict(zip(names, chance.choice(rows), strict=True))
        old = dict(row)
        told = _changed(table, row, chance)
        values = [row[name] for name in names if name != "checksum"]
        row["checksum"] = seal(table, tuple(values))
        keys = ("id",) if table == "campaigns" else ("campaign", "seq")
        connection.execute(
            f"DELETE FROM {table} WHERE {' AND '.join(f'{key} = ?' for key in keys)}",
            [old[key] for key in keys],
        )
        marks = ", ".join("?" * len(names))
        quoted = ", ".join(f'"{name}"' for name in names)
        connection.execute(f"INSERT INTO {table} ({quoted}) VALUES ({marks})", [row[name] for name in names])
        if table == "campaigns" and row["id"] != old["id"]:
            _rename(connection, old["id"], row["id"])
        connection.commit()
    return str(row["id"] if table == "campaigns" else row["campaign"]), f"{table}: {told}"


def _changed(table: str, row: dict[str, Any], chance: random.Random) -> str:
    known = JSON_COLUMNS.get(table, ())
    if known and chance.random() < 0.75:
        column = chance.choice(known)
        body = json.loads(row[column])
        told = "deep" if chance.random() < 0.1 else ""
        if told:
            row[column] = "[" * 50_000 if chance.random() < 0.5 else _deep(body)
        else:
            for _ in range(chance.choice((1, 1, 3))):
                body, told = _elsewhere(body, chance)
            row[column] = json.dumps(body)
        return f"{column} {told}"
    column = chance.choice([name for name in row if name not in ("campaign", "checksum")])
    row[column] = chance.choice(
        ("../../escaped", "x y", -1, 2**62, 1e300, b"\xff\x00", "", "a" * 70_000, "1e999")
    )
    return f"{column} = {row[column]!a:.40}"


def _deep(body: Any) -> str:
    return (
        json.dumps(body)[:-1]
        + (', "a": ' if isinstance(body, dict) else ", ")
        + "[" * 600
        + "]" * 600
        + json.dumps(body)[-1]
    )


def _elsewhere(body: Any, chance: random.Random) -> tuple[Any, str]:
    """Something hostile in a random place of the JSON."""
    places = list(_places(body))
    new = copy.deepcopy(chance.choice(HOSTILE))
    if not places:
        return new, f"= {new!a:.40}"
    holder, key = chance.choice(places)
    if isinstance(holder, dict) and chance.random() < 0.2:
        del holder[key]
        return body, f"without {key!a}"
    holder[key] = new
    return body, f"{key!a} = {new!a:.40}"


def _places(body: Any) -> Iterator[tuple[Any, Any]]:
    inner: Any = body.items() if isinstance(body, dict) else enumerate(body) if isinstance(body, list) else ()
    for key, value in list(inner):
        yield body, key
        yield from _places(value)


def _rename(connection: sqlite3.Connection, old: Any, new: Any) -> None:
    """The rows of a campaign that is called otherwise belong to it still."""
    for table in ("findings", "corpus", "events", "tests", "checkpoints"):
        names = [each[1] for each in connection.execute(f"PRAGMA table_info({table})")]
        for values in connection.execute(f"SELECT * FROM {table} WHERE campaign = ?", (old,)).fetchall():
            row = (new, *values[1:-1])
            connection.execute(f"DELETE FROM {table} WHERE campaign = ? AND seq = ?", values[:2])
            marks = ", ".join("?" * len(names))
            connection.execute(f"INSERT INTO {table} VALUES ({marks})", (*row, seal(table, row)))


def alter(folder: Path, table: str, change: Callable[[dict[str, Any]], None], where: str = "1") -> None:
    """Change rows by hand; what is JSON comes parsed."""
    known = JSON_COLUMNS.get(table, ())
    with closing(sqlite3.connect(folder / "store.sqlite3")) as connection:
        names = [each[1] for each in connection.execute(f"PRAGMA table_info({table})")]
        for values in connection.execute(f"SELECT * FROM {table} WHERE {where}").fetchall():
            row = dict(zip(names, values, strict=True))
            body = {name: json.loads(value) if name in known else value for name, value in row.items()}
            change(body)
            fresh = {name: json.dumps(value) if name in known else value for name, value in body.items()}
            kept = tuple(fresh[name] for name in names if name != "checksum")
            pairs = ", ".join(f'"{name}" = ?' for name in names)
            keys = ("id",) if table == "campaigns" else ("campaign", "seq")
            test = " AND ".join(f"{key} = ?" for key in keys)
            connection.execute(
                f"UPDATE {table} SET {pairs} WHERE {test}",
                (*kept, seal(table, kept), *(row[key] for key in keys)),
            )
            if table == "campaigns" and body["id"] != row["id"]:
                _rename(connection, row["id"], body["id"])
        connection.commit()
