"""The `worst` campaign, seen from outside the workers."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from untrod.core.protocols import Table, Tables
from untrod.core.seeds import derive
from untrod.core.shapes import (
    MOST,
    Malformed,
    anything,
    flag,
    listed,
    number,
    numbers,
    one_of,
    record,
    text,
    whole,
)
from untrod.core.vocabulary import Json, digest
from untrod.engines.worst.counts import WorstCounts
from untrod.engines.worst.curves import Curves
from untrod.engines.worst.transfer import transfer
from untrod.runtime.engine import BaseEngine
from untrod.runtime.loading import TargetName
from untrod.runtime.reports import batch_report, hex_digest, replay_report

_DETAIL = ("exception", "message", "place", "traceback", "value", "shrunk", "size")
_COST = whole(-MOST)
_RECORD = record(
    {
        "size": whole(),
        "cost": _COST,
        "numbers": numbers,
        "text": text(),
        "by": text(),
        "error": text(),
        "attempts": whole(),
        "since": whole(),
        "drawn": whole(),
        "samples": whole(),
        "total": number(-1e60, 1e60),
        "squares": number(-1e60, 1e60),
        "closed": text(),
    }
)
REPORT = batch_report(
    {
        "places": listed(_RECORD),
        "size": whole(),
        "paths": whole(),
        "decisions": whole(),
        "infeasible": whole(),
        "engine": text(),
        "exhausted": flag,
    },
    detail={"size": whole()},
    kinds=("growth",),
    key=hex_digest,
    trace=numbers,
)
REPLAY = replay_report(
    {"cost": _COST, "steps": _COST, "counter": one_of(("variable", "function", "of result"))},
    detail={"size": whole()},
)

_CONFIG = record(
    {"sizes": listed(whole()), "policy": text(), "invalid": listed(anything), "timeout": number(0)},
    {"cold": flag},
)


@dataclass(frozen=True, slots=True)
class WorstConfig:
    """What a person asked for, as it is kept with the campaign and used to resume and replay it."""

    target: TargetName
    sizes: tuple[int, ...]
    cost: TargetName | str = "steps"
    shape: TargetName | None = None
    policy: str = "auto"
    invalid: tuple[TargetName, ...] = ()
    timeout: float = 10.0
    cold: bool = False
    """Start without what earlier campaigns have learned."""

    def to_json(self) -> dict[str, Json]:
        return {
            "target": self.target.to_json(),
            "sizes": list(self.sizes),
            "cost": self.cost if isinstance(self.cost, str) else self.cost.to_json(),
            "shape": self.shape and self.shape.to_json(),
            "policy": self.policy,
            "invalid": [name.to_json() for name in self.invalid],
            "timeout": self.timeout,
            "cold": self.cold,
        }

    @classmethod
    def from_json(cls, body: Json) -> WorstConfig:
        _CONFIG(body, "settings")
        cost = body["cost"]
        return cls(
            target=TargetName.from_json(body["target"]),
            sizes=tuple(body["sizes"]),
            cost=cost if isinstance(cost, str) else TargetName.from_json(cost),
            shape=body["shape"] and TargetName.from_json(body["shape"]),
            policy=body["policy"],
            invalid=tuple(TargetName.from_json(name) for name in body["invalid"]),
            timeout=body["timeout"],
            cold=body.get("cold", False),
        )

    @property
    def table(self) -> str:
        """Under which the store keeps what is learned: the same function, shape, cost and policy."""
        subject = [self.target.to_json(), self.shape and self.shape.to_json(), self.policy]
        cost = self.cost if isinstance(self.cost, str) else self.cost.to_json()
        return f"worst-{digest(json.dumps([*subject, cost]))}"


class WorstEngine(BaseEngine):
    """Each shard searches all sizes with a seed of its own; the costliest input of any of them counts."""

    name = "worst"
    job = "untrod.engines.worst.job:WorstJob"
    report_shape, replay_shape, kept = REPORT, REPLAY, _DETAIL

    def __init__(self, config: WorstConfig, seed: int, project: Path, adopted: Json = None) -> None:
        """`adopted` is what the last campaign like this one has left (see `transfer`), None: nothing."""
        self.config = config
        self._seed = seed
        self._project = project
        self._adopted = None if config.cold else adopted
        self._drawn: Json = None  # the records that are known to make curves

    def adopt(self, tables: Tables) -> None:
        if not self.config.cold:
            self._adopted = tables.table(self.config.table)

    def spec(self, shard: int) -> Json:
        seed = derive(self._seed, "worst", shard)
        return {
            **self.config.to_json(),
            "seed": seed,
            "project": str(self._project),
            "transfer": self._adopted,
        }

    def check(self, report: Json) -> None:
        if report["places"] != self._drawn:
            try:
                Curves.of(report["places"]).counts()
            except (ArithmeticError, TypeError, ValueError) as error:
                raise Malformed("report.places make no curve") from error
            self._drawn = report["places"]

    def transfer(self, snapshot: bytes) -> Iterable[Table]:
        """What a shard has learned, for the next campaign."""
        transferred = transfer(snapshot)
        if transferred is not None:
            manifest = {"engine": self.name, "target": str(self.config.target), "policy": self.config.policy}
            yield Table(self.config.table, manifest, json.dumps(transferred).encode())

    def extra(self, reports: list[Json]) -> dict[str, Json]:
        if not reports:
            return {}
        curves = Curves.of([place for report in reports for place in report["places"]])
        totals = {key: sum(report[key] for report in reports) for key in ("paths", "decisions", "infeasible")}
        share = totals["infeasible"] / totals["decisions"] if totals["decisions"] else 0.0
        size = max(report["size"] for report in reports)
        best = max((record.cost for record in curves.records if record.size == size), default=0)
        walked = f"{totals['paths']:,} paths, {share:.0%} infeasible"
        cost = self.config.cost if isinstance(self.config.cost, str) else str(self.config.cost)
        counts: WorstCounts = {
            "cost": cost,
            **curves.counts(),
            "engine": next((report["engine"] for report in reports if report["engine"]), ""),
            "paths": totals["paths"],
            "infeasible_share": round(share, 4),
            "status": f"size {size}: {max(best, 0):,} {cost}, {walked}",
        }
        return {**counts}
