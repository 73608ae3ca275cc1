"""The `gui` campaign, seen from outside the workers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from untrod.core.protocols import Table, Tables
from untrod.core.seeds import derive
from untrod.core.shapes import (
    Malformed,
    flag,
    listed,
    number,
    one_of,
    record,
    row,
    text,
    texts,
    unpacked,
    whole,
)
from untrod.core.vocabulary import Json
from untrod.drivers.actions import load_action
from untrod.drivers.catalogue import DRIVERS
from untrod.drivers.known import known_table, table_key
from untrod.drivers.setup_script import HOOKS
from untrod.engines.gui.job import check_format
from untrod.engines.gui.replaying import LONGEST_PICTURE, MOST_PICTURES
from untrod.engines.gui.specs import Spec
from untrod.runtime.engine import BaseEngine
from untrod.runtime.reports import batch_report, replay_report

_DETAIL = ("session", "value", "explanation", "formula", "reasons", "steps")


def _trace(value: Json, name: str) -> None:
    """A specification, and actions."""
    texts()(value, name)
    if not value:
        raise Malformed(f"{name} names no specification")
    try:
        for each in value[1:]:
            load_action(each)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"{name} holds what is no action") from error


_STEP = record(
    {"events": listed(row(text(), text()))},
    {"action": text(), "screen": text(), "activity": text(), "url": text()},
)
_TOLD = {
    "explanation": text(),
    "formula": text(),
    "reasons": listed(row(whole(), text(), one_of(("~", "=")), text(), flag)),
    "activity": text(),
    "steps": listed(_STEP),
}
REPORT = batch_report(
    {name: whole() for name in ("steps", "screens", "states", "found", "of")},
    detail=_TOLD,
    kinds=("counterexample", "witness"),
    trace=_trace,
)
_PICTURES = listed(row(whole(), text(LONGEST_PICTURE)), MOST_PICTURES)
REPLAY = replay_report({**_TOLD, "hooks": listed(one_of(HOOKS)), "pictures": _PICTURES}, detail=_TOLD)
_CONFIG = record(
    {"target": text(), "specs": listed(row(text(), flag, text())), "origins": texts()},
    {
        **{name: text() for name in ("driver", "explorer", "setup", "serial", "apk")},
        **dict.fromkeys(("headed", "log_out"), flag),
        "steps": whole(1),
        "idle": number(0),
    },
)
_SHOWN = record({"reasons": _TOLD["reasons"], "steps": _TOLD["steps"]})


@dataclass(frozen=True, slots=True)
class GuiConfig:
    """What a person asked for, as it is kept with the campaign and used to resume and replay it."""

    target: str
    specs: tuple[tuple[str, bool, str], ...]  # text, violate?, name
    driver: str = "web"
    explorer: str = "planner"
    steps: int = 8
    origins: tuple[str, ...] = ()
    setup: str = ""
    headed: bool = False
    log_out: bool = False
    serial: str = ""  # of the device; the only one if left out
    apk: str = ""
    idle: float = 20.0  # seconds

    def to_json(self) -> dict[str, Json]:
        return {**asdict(self), "specs": list(map(list, self.specs)), "origins": list(self.origins)}

    @classmethod
    def from_json(cls, body: Json) -> GuiConfig:
        _CONFIG(body, "settings")
        names = cls.__dataclass_fields__
        known = {name: body[name] for name in names if name in body}
        specs = tuple((text, violate, name) for text, violate, name in body["specs"])
        return cls(**{**known, "specs": specs, "origins": tuple(body["origins"])})

    def parsed(self) -> list[Spec]:
        return [Spec(*each) for each in self.specs]


class GuiEngine(BaseEngine):
    """`known` is what earlier campaigns on the same application have left: its graph and their Q tables."""

    name = "gui"
    job = "untrod.engines.gui.job:GuiJob"
    report_shape, replay_shape, kept = REPORT, REPLAY, _DETAIL

    def __init__(self, config: GuiConfig, seed: int, project: Path, known: Json = None) -> None:
        self.config = config
        self._seed = seed
        self._project = project
        self._known = known or {}

    def adopt(self, tables: Tables) -> None:
        self._known = tables.table(table_key(self.config.driver, self.config.target)) or {}

    def spec(self, shard: int) -> Json:
        same = self._known.get("explorer") == self.config.explorer
        return {
            **self.config.to_json(),
            "seed": derive(self._seed, "gui", shard),
            "project": str(self._project),
            "stage": DRIVERS.find(self.config.driver).stage,
            "graph": self._known.get("graph"),
            "lessons": self._known.get("lessons", {}) if same else {},
        }

    def check_replay(self, report: Json) -> None:
        super().check_replay(report)
        if report["finding"] is not None:
            _SHOWN(report, "replay")

    def transfer(self, snapshot: bytes) -> Iterable[Table]:
        """What a shard knows of the application, for the next campaign on it."""
        body = unpacked(snapshot)
        check_format(body)
        try:
            kept = {name: body[name] for name in ("graph", "lessons", "explorer")}
        except (LookupError, TypeError) as error:
            raise Malformed("not a snapshot of this campaign") from error
        if kept["graph"]:
            yield known_table(self.name, self.config.driver, self.config.target, **kept)

    def extra(self, reports: list[Json]) -> dict[str, Json]:
        if not reports:
            return {}
        most = {
            name: max(report[name] for report in reports) for name in ("screens", "states", "found", "of")
        }
        steps = sum(report["steps"] for report in reports)
        verb = "broken" if all(violate for _, violate, _ in self.config.specs) else "shown"
        status = f"{most['found']} of {most['of']} {verb}, {steps:,} steps, {most['screens']} screens"
        return {**most, "steps": steps, "verb": verb, "status": status}
