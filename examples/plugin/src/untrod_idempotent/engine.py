"""The configuration, and the campaign seen from outside the workers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

from untrod.core.seeds import derive
from untrod.core.shapes import record, text, whole
from untrod.runtime.engine import BaseEngine
from untrod.runtime.loading import TargetName
from untrod.runtime.reports import batch_report, replay_report

_CONFIG = record({"longest": whole(1)})
REPORT = batch_report({"longest": whole()}, detail={"once": text(), "twice": text()})
REPLAY = replay_report(detail={"once": text(), "twice": text()})


class IdempotentCounts(TypedDict, total=False):
    longest: int
    status: str


@dataclass(frozen=True)
class IdempotentConfig:
    """What a person asked for, as the store keeps it."""

    target: TargetName
    longest: int

    def to_json(self) -> dict[str, Any]:
        return {"target": self.target.to_json(), "longest": self.longest}

    @classmethod
    def from_json(cls, body: Any) -> IdempotentConfig:
        _CONFIG(body, "settings")
        return cls(TargetName.from_json(body["target"]), body["longest"])


class IdempotentEngine(BaseEngine):
    name = "idempotent"
    job = "untrod_idempotent.job:IdempotentJob"
    report_shape, replay_shape = REPORT, REPLAY
    kept = ("exception", "message", "place", "traceback", "value", "once", "twice")

    def __init__(self, config: IdempotentConfig, seed: int, project: Path) -> None:
        self._config, self._seed, self._project = config, seed, project

    def spec(self, shard: int) -> dict[str, Any]:
        seed = derive(self._seed, self.name, shard)
        return {**self._config.to_json(), "seed": seed, "project": str(self._project)}

    def extra(self, reports: list[Any]) -> dict[str, Any]:
        """What only this engine counts: an `IdempotentCounts`."""
        unique = sum(report["unique"] for report in reports)
        longest = max((report["longest"] for report in reports), default=0)
        return {"longest": longest, "status": f"{unique:,} different results"}
