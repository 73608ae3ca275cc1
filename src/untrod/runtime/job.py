"""The job around every search: batches of episodes in, reports out, and snapshots of it all.

    class CoverJob(SearchJob):         # built by the worker from what the engine has specified
        def __init__(self, spec, beacon):
            super().__init__(CoverSearch(spec, beacon), beacon)

What a search reports is JSON, and its state is JSON: one codec, `core.shapes.packed` and `unpacked`.
"""

from __future__ import annotations

from untrod.core.errors import UntrodError
from untrod.core.loop import drive
from untrod.core.protocols import Batch, Beacon, Search
from untrod.core.shapes import packed, unpacked
from untrod.core.vocabulary import Json, Trace
from untrod.runtime.deadline import EpisodeStopped

_UNREADABLE = (UntrodError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError)


class SearchJob:
    """Implements `core.protocols.Job`."""

    def __init__(self, search: Search, beacon: Beacon) -> None:
        self.search = search
        self._beacon = beacon

    def run(self, batch: Batch) -> Json:
        try:
            drive(self.search, batch)
        except EpisodeStopped:
            pass  # the campaign is ending; what was counted stays counted
        self._beacon.end()
        return {**self.search.counts(), **self.search.news(), "exhausted": self.search.finished}

    def replay(self, trace: Trace) -> Json:
        report = self.search.replay(trace)
        self._beacon.end()
        return report

    def skip(self, episodes: list[tuple[int, bool]]) -> None:
        for number, made in episodes:
            self.search.skip(number, made)

    def snapshot(self) -> bytes:
        return packed(self.search.state())

    def restore(self, blob: bytes) -> Json:
        try:
            self.search.load(unpacked(blob))
        except _UNREADABLE as error:
            raise ValueError(f"not a snapshot of this campaign: {error}") from error
        return {**self.search.counts(), "keys": self.search.keys()}
