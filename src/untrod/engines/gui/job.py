"""One shard of a `gui` campaign, inside a worker: the batches and snapshots of its search."""

from __future__ import annotations

import json
import time
import zlib

from untrod.core.errors import UntrodError
from untrod.core.protocols import Batch, Beacon
from untrod.core.shapes import Malformed, unpacked
from untrod.core.vocabulary import Json, Trace
from untrod.engines.gui.search import GuiSearch
from untrod.runtime.deadline import EpisodeStopped

FORMAT = 1


class GuiJob:
    """Built from the JSON that `engine.GuiEngine.spec` makes."""

    def __init__(self, spec: Json, beacon: Beacon) -> None:
        self.search = GuiSearch(spec, beacon)
        self._beacon = beacon

    def run(self, batch: Batch) -> Json:
        search = self.search
        deadline, last = time.monotonic() + batch.seconds, search.episodes + batch.episodes
        try:
            while not search.finished and search.episodes < last:
                search.step()
                if time.monotonic() >= deadline:
                    break
        except EpisodeStopped:
            pass  # the campaign is ending; what was counted stays counted
        self._beacon.end()
        return {**search.report(), "exhausted": search.finished}

    def replay(self, trace: Trace) -> Json:
        return self.search.replay(trace)

    def skip(self, episodes: list[tuple[int, bool]]) -> None:
        for number, made in episodes:
            self.search.skip(number, made)

    def snapshot(self) -> bytes:
        body = {"format": FORMAT, **self.search.state()}
        return zlib.compress(json.dumps(body, separators=(",", ":")).encode(), 1)

    def restore(self, blob: bytes) -> Json:
        try:
            self.search.load(read_snapshot(blob))
        except (LookupError, TypeError, AttributeError, UntrodError) as error:
            raise ValueError(f"not a snapshot of this campaign: {error}") from error
        return {**self.search.counts(), "keys": self.search.keys()}


def read_snapshot(blob: bytes) -> Json:
    """Raises Malformed."""
    try:
        body = unpacked(blob)
        if body["format"] != FORMAT:
            raise ValueError(f"a snapshot in format {body['format']}")
        return body
    except (LookupError, TypeError) as error:
        raise Malformed(f"not a snapshot: {error}") from error
