"""The `explore` campaign, seen from outside the workers: an app that is running, a walk, or a program."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.core.protocols import Table, Tables
from untrod.core.shapes import (
    Malformed,
    flag,
    listed,
    mapping,
    number,
    numbers,
    one_of,
    record,
    text,
    texts,
    unpacked,
    whole,
)
from untrod.core.text import count
from untrod.core.vocabulary import Json
from untrod.drivers.actions import load_action
from untrod.drivers.catalogue import DRIVERS
from untrod.drivers.graph_reader import decode
from untrod.drivers.known import known_table, table_key
from untrod.drivers.setup_script import HOOKS
from untrod.runtime.engine import BaseEngine
from untrod.runtime.reports import batch_report, replay_report

SCREENS, MAZE, APP_GRAPH, KAREL, ROBUSTFILL = "screens", "maze", "app-graph", "karel", "robustfill"
TRAIN = "train"
KINDS = (SCREENS, MAZE, APP_GRAPH, KAREL, ROBUSTFILL)
_CONFIG = record(
    {"kind": one_of(KINDS), "target": text(), "steps": whole()},
    {
        **dict.fromkeys(("walker", "line", "weights", "driver", "setup", "program", "measure"), text()),
        **dict.fromkeys(("fine_tune", "side", "longest"), whole()),
        **dict.fromkeys(("braided", "headed", "log_out"), flag),
        "origins": texts(),
    },
)


@dataclass(frozen=True, slots=True)
class ExploreConfig:
    """What a person asked for, as it is kept with the campaign and used to resume and replay it."""

    kind: str
    target: str
    steps: int  # or inputs, at most; 0: as many as such a walk usually has
    walker: str = ""  # or explorer
    line: str = ""  # about the walker
    weights: str = ""  # a folder; else those that come with untrod
    fine_tune: int = 0
    driver: str = ""
    origins: tuple[str, ...] = ()
    setup: str = ""
    headed: bool = False
    log_out: bool = False
    side: int = 0
    braided: bool = False
    program: str = ""
    measure: str = ""
    longest: int = 0

    def to_json(self) -> dict[str, Json]:
        return {**asdict(self), "origins": list(self.origins)}

    @classmethod
    def from_json(cls, body: Json) -> ExploreConfig:
        _CONFIG(body, "settings")
        known = {name: body[name] for name in cls.__dataclass_fields__ if name in body}
        return cls(**{**known, "origins": tuple(body.get("origins", ()))})

    @property
    def task(self) -> str:
        """What weights are made for."""
        return "braided" if self.braided else self.kind


class ExploreEngine(BaseEngine):
    name = "explore"
    job = "untrod.engines.explore.job:explore_job"

    def __init__(self, config: ExploreConfig, seed: int, project: Path) -> None:
        self.config = config
        self._seed = seed
        self._project = project

    def spec(self, shard: int) -> Json:
        """There is one shard: its seed is the campaign's."""
        same = {"task": self.config.task, "explorer": self.config.walker}
        return {**self.config.to_json(), **same, "seed": self._seed, "project": str(self._project)}

    def extra(self, reports: list[Json]) -> dict[str, Json]:
        return self.counted(reports[0]) if reports else {}

    def counted(self, report: Json) -> dict[str, Json]:
        """From the newest report."""
        raise NotImplementedError


def _trace(value: Json, name: str) -> None:
    """What went wrong, and actions."""
    texts()(value, name)
    try:
        for each in value[1:]:
            load_action(each)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"{name} holds what is no action") from error


class ScreensEngine(ExploreEngine):
    """An app that is running. What is known of it is handed on, also to `gui`, and from there."""

    report_shape = batch_report(
        {
            **dict.fromkeys(("screens", "steps", "resets", "untried"), whole()),
            "visits": mapping(whole()),
            "discovered": numbers,
            "events": texts(),
        },
        detail={"event": text(1000)},
        kinds=("counterexample",),
        trace=_trace,
    )
    replay_shape = replay_report({"hooks": listed(one_of(HOOKS))}, detail={"event": text(1000)})
    kept = ("session", "value", "event")

    def __init__(self, config: ExploreConfig, seed: int, project: Path) -> None:
        super().__init__(config, seed, project)
        self._known: dict[str, Json] = {}

    def adopt(self, tables: Tables) -> None:
        self._known = tables.table(table_key(self.config.driver, self.config.target)) or {}

    def spec(self, shard: int) -> Json:
        stage = DRIVERS.find(self.config.driver).stage
        return {**super().spec(shard), "stage": stage, "graph": self._known.get("graph")}

    def counted(self, report: Json) -> dict[str, Json]:
        names = ("screens", "steps", "resets", "untried", "visits", "discovered", "events")
        key = table_key(self.config.driver, self.config.target)
        files = {what: f"screens/{key}.{kind}" for kind, what in FILES.items()}
        status = f"{count(report['screens'], 'screen')} in {report['steps']:,} steps of {self.config.steps:,}"
        return {**{name: report[name] for name in names}, "files": files, "status": status}

    def transfer(self, snapshot: bytes) -> Iterable[Table]:
        body = unpacked(snapshot)
        try:
            graph = body["graph"]
            decode(graph)
        except (UntrodError, LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise Malformed("not a snapshot of this campaign") from error
        lessons, explorer = self._known.get("lessons"), self._known.get("explorer", "")
        if graph["screens"]:
            yield known_table(self.name, self.config.driver, self.config.target, graph, lessons, explorer)


FILES = {"svg": "a picture of its screens", "json": "its screen graph"}


class WalkEngine(ExploreEngine):
    """A walk through a maze, or through a recorded app."""

    report_shape = batch_report(
        {
            "walker": text(100),
            **dict.fromkeys(("reachable", "of"), whole(1)),
            "visits": mapping(whole()),
            "path": texts(),
        },
        trace=texts(),
    )
    replay_shape = replay_report()
    kept = ()

    def counted(self, report: Json) -> dict[str, Json]:
        visited, reachable, steps = report["unique"], report["reachable"], report["episodes"]
        share = visited / reachable
        return {
            "walker": report["walker"],
            "visited": visited,
            "reachable": reachable,
            "coverage": round(share, 4),
            "steps": steps,
            "path": report["path"],
            "visits": report["visits"],
            "status": f"{visited:,} of {reachable:,} visited ({share:.0%}) "
            f"in {steps:,} steps of {report['of']:,}",
        }


_INPUT = record(
    {"input": numbers, "shown": text(), "coverage": number(0, 1), "joint": number(0, 1), "new": whole()}
)


class ProgramEngine(ExploreEngine):
    """Inputs for a program."""

    report_shape = batch_report(
        {
            "explorer": text(100),
            "reached": whole(),
            "goals": whole(1),
            "inputs": listed(_INPUT),
            "program": text(),
            "missing": texts(),
            "beyond": texts(),
        },
        trace=numbers,
    )
    replay_shape = replay_report()
    kept = ()

    def counted(self, report: Json) -> dict[str, Json]:
        names = ("explorer", "reached", "goals", "inputs", "program", "missing", "beyond")
        share = report["reached"] / report["goals"]
        return {
            **{name: report[name] for name in names},
            "coverage": round(share, 4),
            "status": f"coverage {share:.0%}: {report['reached']} of {report['goals']}",
        }


ENGINE_OF: dict[str, type[ExploreEngine]] = {
    SCREENS: ScreensEngine,
    MAZE: WalkEngine,
    APP_GRAPH: WalkEngine,
    KAREL: ProgramEngine,
    ROBUSTFILL: ProgramEngine,
}
