"""The state of one shard of a campaign: its progress, its newest report, what killed its workers."""

from __future__ import annotations

from dataclasses import dataclass, field

from untrod.core.shapes import Malformed
from untrod.runtime.reports import Counts

_NO_LIMIT = 2**62
_SNAPSHOT_SHARE = 0.1
"""A snapshot may take at most this share of a shard's time; big learners are saved less often."""


def divide(episodes: int | None, shards: int) -> list[int | None]:
    """Quotas that differ by at most one; None when episodes are not limited."""
    if episodes is None:
        return [None] * shards
    share, rest = divmod(episodes, shards)
    return [share + (number < rest) for number in range(shards)]


@dataclass
class Shard:
    number: int
    quota: int | None
    episodes: int = 0
    snapshot: bytes = b""
    last: Counts | None = None  # the newest report
    valid: int = 0
    unique: int = 0
    finished: bool = False
    exhausted: bool = False  # there is nothing left that it could do
    given_up: bool = False
    waiting: bool = False  # a new worker is being brought to where the old one was
    has_news: bool = False  # episodes were run since the last snapshot
    wants_snapshot: bool = False
    deadly: dict[int, bool] = field(default_factory=dict)  # episode -> its input had been made
    snapshot_started: float = 0.0
    snapshot_taken: float = 0.0
    snapshot_cost: float = 0.0
    _at_snapshot: tuple[int, int, int] = (0, 0, 0)

    def __post_init__(self) -> None:
        self._at_snapshot = (self.episodes, self.valid, self.unique)

    def check(self, body: Counts) -> None:
        """Raises Malformed unless this can be the next report of the shard."""
        if body["episodes"] < self.episodes:
            raise Malformed("report.episodes is less than it was")

    def report(self, body: Counts) -> None:
        """Take in the report on a batch."""
        self.last = body
        self.exhausted = bool(body.get("exhausted"))
        self.has_news = self.has_news or body["episodes"] != self.episodes
        self.episodes, self.valid, self.unique = body["episodes"], body["valid"], body["unique"]

    def restored(self, body: Counts) -> None:
        """A new worker stands where the snapshot was taken: this is its report until it has run a batch."""
        self.last = body
        self.episodes, self.valid, self.unique = body["episodes"], body["valid"], body["unique"]
        self._at_snapshot = (self.episodes, self.valid, self.unique)

    def quota_left(self) -> int:
        return _NO_LIMIT if self.quota is None else max(0, self.quota - self.episodes)

    def next_batch(self) -> int:
        """How many episodes to run next: up to the next deadly one, so that a snapshot can follow it."""
        ahead = [number for number in self.deadly if number >= self.episodes]
        left = self.quota_left()
        return min(left, min(ahead) + 1 - self.episodes) if ahead else left

    def snapshot_due(self, now: float, every: float) -> bool:
        if not self.has_news:
            return False
        if self.quota_left() == 0 or self.episodes - 1 in self.deadly:
            return True
        return now - self.snapshot_taken >= max(every, self.snapshot_cost / _SNAPSHOT_SHARE)

    def keep(self, blob: bytes, now: float) -> None:
        self.snapshot = blob
        self.snapshot_cost = now - self.snapshot_started
        self.snapshot_taken = now
        self.has_news = False
        self._at_snapshot = (self.episodes, self.valid, self.unique)

    def rewind(self) -> None:
        """The worker is gone, and with it everything since the last snapshot."""
        self.episodes, self.valid, self.unique = self._at_snapshot
        self.has_news = False
