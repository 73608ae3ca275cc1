"""A job that does nothing: for trying out whether workers work here."""

from __future__ import annotations

from untrod.core.protocols import Batch, Beacon
from untrod.core.vocabulary import Json, Trace


class IdleJob:
    def __init__(self, spec: Json, beacon: Beacon) -> None:
        pass

    def run(self, batch: Batch) -> Json:
        return {"episodes": 0, "valid": 0, "unique": 0, "keys": []}

    def replay(self, trace: Trace) -> Json:
        return {"outcome": "valid", "answers": list(trace.answers), "finding": None}

    def skip(self, episodes: list[tuple[int, bool]]) -> None:
        pass

    def snapshot(self) -> bytes:
        return b"idle"

    def restore(self, blob: bytes) -> Json:
        return self.run(Batch(0, 0.0))
