"""The `cover` campaign on a C program, seen from outside the workers."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass

from untrod.core.seeds import derive
from untrod.core.vocabulary import Json, digest
from untrod.engines.cover.case import Case
from untrod.engines.cover.engine import NATIVE_REPLAY, NATIVE_REPORT, CoverEngine, SearchConfig
from untrod.engines.cover.native.target import NativeTarget


@dataclass(frozen=True, slots=True)
class NativeConfig(SearchConfig):
    """As `engine.CoverConfig`, for a program."""

    target: NativeTarget

    def to_json(self) -> dict[str, Json]:
        return {"target": self.target.to_json(), **SearchConfig.to_json(self)}

    @classmethod
    def from_json(cls, body: Json) -> NativeConfig:
        return cls(NativeTarget.from_json(body["target"]), **cls.read(body))

    @property
    def table_key(self) -> str:
        return f"native-{digest(json.dumps(self.target.to_json()))}"


class NativeEngine(CoverEngine):
    """Shards and reports are those of `cover`."""

    name = "native"
    job = "untrod.engines.cover.native.job:NativeJob"
    report_shape, replay_shape = NATIVE_REPORT, NATIVE_REPLAY

    def spec(self, shard: int) -> Json:
        return {**super().spec(shard), "seed": derive(self._seed, "native", shard), "stage": True}

    def _check_case(self, case: Case) -> None:
        """What a program died of is told in words, and nothing is imported."""

    def extra(self, reports: list[Json]) -> dict[str, Json]:
        """Besides, `unknown`: what the emulation does not know, how often it was asked for."""
        found = super().extra(reports)
        if not found:
            return found
        unknown: dict[str, Counter[str]] = {}
        for report in reports:
            for kind, counts in report.get("unknown", {}).items():
                unknown.setdefault(kind, Counter()).update(counts)
        found["unknown"] = {kind: dict(counts.most_common(20)) for kind, counts in unknown.items()}
        found["left_over"] = sum(report.get("left_over", 0) for report in reports)
        return found
