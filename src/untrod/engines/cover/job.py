"""One shard of a `cover` campaign, inside a worker: many episodes per message, nothing but JSON out."""

from __future__ import annotations

import time

from untrod.core.protocols import Batch, Beacon
from untrod.core.vocabulary import Json, Trace
from untrod.engines.cover.search import UNREADABLE, CoverSearch
from untrod.engines.cover.snapshots import read_snapshot, write_snapshot
from untrod.runtime.deadline import EpisodeStopped


class CoverJob:
    """Built from the JSON that `engine.CoverEngine.spec` makes."""

    def __init__(self, spec: Json, beacon: Beacon) -> None:
        self._beacon = beacon
        self.search = self._search(spec, beacon)

    def _search(self, spec: Json, beacon: Beacon) -> CoverSearch:
        return CoverSearch(spec, beacon)

    def run(self, batch: Batch) -> Json:
        deadline = time.monotonic() + batch.seconds
        search = self.search
        last = search.episodes + batch.episodes
        try:
            while search.episodes < last and time.monotonic() < deadline and not search.finished:
                search.step()
        except EpisodeStopped:
            pass  # the campaign is ending; what was counted stays counted
        self._beacon.end()
        return {**search.report(), "exhausted": search.finished}

    def replay(self, trace: Trace) -> Json:
        return self.search.replay(trace)

    def skip(self, episodes: list[tuple[int, bool]]) -> None:
        for number, made in episodes:
            (self.search.untested if made else self.search.pass_over)(number)

    def snapshot(self) -> bytes:
        return write_snapshot(self.search.state())

    def restore(self, blob: bytes) -> Json:
        body = read_snapshot(blob)
        try:
            self.search.load(body)
        except UNREADABLE as error:
            raise ValueError(f"not a snapshot of this campaign: {error}") from error
        return {**self.search.counts(), "keys": self.search.keys()}
