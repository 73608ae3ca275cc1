"""The `cover` campaign, seen from outside the workers."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Protocol

from untrod.core.errors import UntrodError
from untrod.core.protocols import Table, Tables
from untrod.core.seeds import derive
from untrod.core.shapes import (
    MOST,
    Malformed,
    anything,
    dotted_name,
    flag,
    listed,
    mapping,
    number,
    one_of,
    optional,
    record,
    row,
    text,
    whole,
)
from untrod.core.vocabulary import Json, digest
from untrod.engines.cover.branch_map import BranchMap
from untrod.engines.cover.case import ARCS, Case, Input
from untrod.engines.cover.rightness.levels import LEVELS, NOTE
from untrod.engines.cover.snapshots import learned_in
from untrod.runtime.engine import BaseEngine
from untrod.runtime.loading import TargetName
from untrod.runtime.reports import batch_report, hex_digest, replay_report

Row = tuple[str, int, int]
"""Module, line, next line."""
_DETAIL = ("exception", "message", "place", "traceback", "value", "shrunk", "level", "evidence")


def _trace(value: Json, name: str) -> None:
    row(text(MOST))(value, name)
    Input.from_trace(value)


_LINE = whole(-MOST)
_COUNTED = {
    "branches": whole(),
    "imported": whole(),
    "entries": whole(),
    "gained": listed(row(text(), whole())),
    "untaken": listed(row(text(), _LINE, _LINE, text(), text(), text())),
    "symbolic": mapping(number()),
}
_PROGRAM = {"unknown": mapping(mapping(whole())), "left_over": whole()}
_WORDS = record({"module": text(), "name": text()})
_JUDGED = {"level": one_of(LEVELS), "evidence": text()}
REPORT = batch_report(_COUNTED, detail=_JUDGED, kinds=(NOTE,), key=hex_digest, trace=_trace)
NATIVE_REPORT = batch_report(_COUNTED, _PROGRAM, detail={"exception": _WORDS}, key=hex_digest, trace=_trace)
_SEEN = {"case": anything, "about": anything}
REPLAY = replay_report(_SEEN, detail=_JUDGED)
NATIVE_REPLAY = replay_report(_SEEN, detail={"exception": _WORDS})
_SEARCH = record(
    {}, {"searcher": text(), "pruning": text(), "chance": flag, "timed": flag, "timeout": number(0)}
)
_ABOUT = record({"files": mapping(text()), "imported": ARCS})


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchConfig:
    """How to search, whatever the target.

    `chance`: inputs are also drawn and mutated; without it, symbolic execution is alone. `timed`: the budget
    is one of time, so what arms cost is measured; else it is counted.
    """

    searcher: str = "auto"
    pruning: str = "homi"
    chance: bool = True
    timed: bool = True
    timeout: float = 10.0

    def to_json(self) -> dict[str, Json]:
        return {field.name: getattr(self, field.name) for field in fields(SearchConfig)}

    @staticmethod
    def read(body: Json) -> dict[str, Json]:
        """Of the JSON, what is about searching. Raises Malformed."""
        _SEARCH(body, "settings")
        return {field.name: body[field.name] for field in fields(SearchConfig) if field.name in body}


@dataclass(frozen=True, slots=True)
class CoverConfig(SearchConfig):
    """What a person asked for, as it is kept with the campaign and used to resume and replay it.

    `private`: private code is called directly from the start. `shapes`: a function's name, or none where the
    target is one, and the factory of its arguments' shapes.
    """

    target: TargetName
    also: tuple[TargetName, ...] = ()
    shapes: tuple[tuple[str, TargetName], ...] = ()
    private: bool = False

    def to_json(self) -> dict[str, Json]:
        return {
            "target": self.target.to_json(),
            "also": [name.to_json() for name in self.also],
            "shapes": [[name, factory.to_json()] for name, factory in self.shapes],
            "private": self.private,
            **SearchConfig.to_json(self),
        }

    @classmethod
    def from_json(cls, body: Json) -> CoverConfig:
        return cls(
            TargetName.from_json(body["target"]),
            tuple(TargetName.from_json(name) for name in body["also"]),
            tuple((str(name), TargetName.from_json(factory)) for name, factory in body.get("shapes", ())),
            bool(body.get("private", False)),
            **cls.read(body),
        )

    @property
    def table_key(self) -> str:
        names = [str(self.target), *map(str, self.also)]
        return f"cover-{digest(json.dumps(names))}"


class Configured(Protocol):
    """What the engine has to know of a configuration: that of Python code, or of a C program."""

    @property
    def target(self) -> object: ...

    @property
    def table_key(self) -> str:
        """Under which the store keeps what was learned of the target, for the next campaign."""
        ...

    def to_json(self) -> dict[str, Json]: ...


class CoverEngine(BaseEngine):
    """Each shard explores all entries with a seed of its own; what any of them has covered is covered.

    `adopted` is what an earlier campaign on the same target has learned, as `transfer` gave it.
    """

    name = "cover"
    job = "untrod.engines.cover.job:CoverJob"
    report_shape, replay_shape, kept = REPORT, REPLAY, _DETAIL

    def __init__(self, config: Configured, seed: int, project: Path, adopted: Json = None) -> None:
        self.config = config
        self._seed = seed
        self._project = project
        self._adopted = adopted
        self._open: set[Row] | None = None  # what no report has called taken
        self._about: Json = None  # what replays have said of the source files, and is known to be so

    def adopt(self, tables: Tables) -> None:
        self._adopted = tables.table(self.config.table_key)

    def spec(self, shard: int) -> Json:
        seed = derive(self._seed, "cover", shard)
        return {
            **self.config.to_json(),
            "seed": seed,
            "project": str(self._project),
            "transfer": self._adopted if shard == 0 else None,
        }

    def check(self, report: Json) -> None:
        if len(report["untaken"]) > report["branches"]:
            raise Malformed("report.untaken are more branches than there are")
        self._note(report)

    def check_replay(self, report: Json) -> None:
        super().check_replay(report)
        if report.get("case") is not None:
            self._check_case(Case.from_json(report["case"]))
        about = report.get("about")
        if about is not None and about != self._about:
            self._check_about(about)
            self._about = about

    def _check_case(self, case: Case) -> None:
        """Exceptions are imported by the tests."""
        for error in (case.outcome.error, *(error for _, error in case.raised)):
            optional(row(dotted_name, dotted_name))(error and list(error), "replay.case.error")

    def _check_about(self, about: Json) -> None:
        """These files are read, here, to name the branches."""
        _ABOUT(about, "replay.about")
        try:
            if not all(os.path.isfile(path) for path in about["files"].values()):
                raise Malformed("replay.about.files are no files")
            BranchMap(about["files"])
        except (UntrodError, OSError, SyntaxError, ValueError, RecursionError) as error:
            raise Malformed("replay.about.files are no sources") from error

    def extra(self, reports: list[Json]) -> dict[str, Json]:
        """`untaken`: [module, line, next line, source, in words, why] of each branch that nobody took."""
        if not reports:
            return {}
        first = reports[0]
        for report in reports:
            self._note(report)
        left = [row for row in first["untaken"] if tuple(row[:3]) in (self._open or ())]
        covered = first["branches"] - len(left)
        gained: dict[str, int] = {}
        for report in reports:
            for arm, count in report["gained"]:
                gained[arm] = gained.get(arm, 0) + count
        return {
            "branches": first["branches"],
            "covered": covered,
            "imported": first["imported"],
            "untaken": left,
            "gained": gained,
            "entries": first["entries"],
            "symbolic": {
                key: sum(report["symbolic"].get(key, 0) for report in reports) for key in first["symbolic"]
            },
            "status": f"{covered:,} of {first['branches']:,} branches",
        }

    def _note(self, report: Json) -> None:
        """A branch that was taken stays so, although the worker that took it may have died since, and its
        successor begins from a snapshot: the input is in the corpus, and the suite is made of that."""
        rows = {tuple(row[:3]) for row in report["untaken"]}
        self._open = rows if self._open is None else self._open & rows

    def transfer(self, snapshot: bytes) -> Iterable[Table]:
        """What a shard has found and learned, for the next campaign on the same target."""
        manifest = {"engine": self.name, "target": str(self.config.target)}
        yield Table(self.config.table_key, manifest, json.dumps(learned_in(snapshot)).encode())
