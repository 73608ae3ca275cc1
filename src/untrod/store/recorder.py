"""The listener that writes the events of a campaign to the store."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Any

from untrod.core.errors import UntrodError
from untrod.core.events import (
    CampaignFinished,
    CampaignStarted,
    Checkpoint,
    CorpusGrown,
    Event,
    FindingFound,
    Progress,
    TestWritten,
)
from untrod.core.reading import read_bytes
from untrod.core.vocabulary import Finding
from untrod.store.blobs import sha256
from untrod.store.campaigns import FINISHED, INTERRUPTED, RUNNING, CampaignRow
from untrod.store.checkpoints import Checkpoints, Saved
from untrod.store.failures import DiskFull
from untrod.store.ledger import Ledger, Ledgers
from untrod.store.results import WrittenTest, encode_corpus, encode_event, encode_finding, encode_test
from untrod.store.sheets import CHECKPOINTS, CORPUS, EVENTS

COMMIT_SECONDS = 1.0
KEPT_SECONDS = 0.25
KEPT_SHARE = 1 / 60
"""How far apart kept progress lies: at least so many seconds, and so much of the time the campaign has run.
That is some 400 points in an hour and 600 in a day, and the curves of a report are smooth at any length."""
_BATCH_ROWS = 10_000
_BATCH_CHARACTERS = 8 << 20
KEPT_CHARACTERS = 16_000
"""Of one thing that only an engine counts: a list of what is left to do, told hundreds of times, would be
most of the store. The newest stands whole in the campaign's row."""


class Recorder:
    """Writes the events of one campaign.

    Findings, written tests, checkpoints and the campaign's start and end are durable when the call returns.
    Everything else waits for them, or for the first event more than a second after the oldest that waits,
    or for `flush`; one transaction then takes all of it, so what is on disk is always a prefix of what was
    told. When a commit fails nothing of it is written, everything keeps waiting, and the next event or
    `flush` tries again.
    """

    def __init__(
        self,
        campaign: str,
        ledgers: Ledgers,
        checkpoints: Checkpoints,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._campaign = campaign
        self._ledgers = ledgers
        self._checkpoints = checkpoints
        self._clock = clock
        self._waiting: list[Callable[[Ledger], None]] = []
        self._characters = 0
        self._due = 0.0  # when the oldest waiting entry must be committed
        self._progress: Progress | None = None  # the newest, not yet in the campaign's counters
        self._progress_due = clock()  # Progress events before this are counted but not kept

    def __call__(self, event: Event) -> None:
        match event:
            case CorpusGrown():
                row = encode_corpus(event)
                self._wait(partial(_add_corpus, row), len(row[1]))
            case Progress():
                self._add_progress(event)
            case Checkpoint():
                self._add_checkpoint(event)
                return
            case FindingFound():
                self._wait(partial(_add_finding, event.finding, encode_finding(event.finding), _event(event)))
            case TestWritten():
                test = WrittenTest(event.path, _hash_of(event.path), event.findings)
                self._wait(partial(_add_test, encode_test(test), _event(event)))
            case CampaignStarted():
                self._wait(partial(_set_status, RUNNING, "", _event(event)))
            case CampaignFinished():
                status = INTERRUPTED if event.reason == "interrupted" else FINISHED
                self._progress = _last_progress(event)
                self._wait(partial(_set_status, status, event.reason, _event(event)))
            case _:
                self._wait(partial(_add_event, _event(event)))
        if isinstance(event, _AT_ONCE) or self._is_due():
            self.flush()

    @property
    def settled(self) -> bool:
        """Whether everything told so far is durable."""
        return not self._waiting and self._progress is None

    def flush(self) -> None:
        """Commit everything told so far."""
        if self.settled:
            return
        try:
            with self._ledgers.open(self._campaign) as ledger:
                for write in self._waiting:
                    write(ledger)
                if self._progress is not None:
                    ledger.campaign = _counted(ledger, self._progress)
        except DiskFull as error:
            raise DiskFull(self._ledgers.path, self._kept()) from error
        self._waiting.clear()
        self._characters = 0
        self._progress = None

    def close(self) -> None:
        self.flush()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _wait(self, write: Callable[[Ledger], None], characters: int = 0) -> None:
        if not self._waiting and self._progress is None:
            self._due = self._clock() + COMMIT_SECONDS
        self._waiting.append(write)
        self._characters += characters

    def _is_due(self) -> bool:
        return (
            len(self._waiting) >= _BATCH_ROWS
            or self._characters >= _BATCH_CHARACTERS
            or self._clock() >= self._due
        )

    def _add_progress(self, event: Progress) -> None:
        now = self._clock()
        if now >= self._progress_due:
            self._wait(partial(_add_event, _event(_point(event))))
            self._progress_due = now + max(KEPT_SECONDS, event.wall * KEPT_SHARE)
        elif not self._waiting and self._progress is None:
            self._due = now + COMMIT_SECONDS
        self._progress = event

    def _add_checkpoint(self, event: Checkpoint) -> None:
        if not event.blob:
            return  # it travelled as JSON; the blob did not
        saved = self._checkpoints.write(self._campaign, event.shard, event.episodes, event.blob)
        self._wait(partial(_add_checkpoint, self._checkpoints, saved))
        self.flush()
        self._checkpoints.sweep(self._campaign, event.shard)

    def _kept(self) -> str:
        try:
            rows = self._ledgers.row(self._campaign).rows
        except UntrodError:
            return "everything committed before is kept"
        found = rows.get("findings", 0)
        kept = f"{found} finding{'s' * (found != 1)} and {rows.get('corpus', 0)} corpus entries are kept"
        return f"{kept}, the newest {len(self._waiting)} records wait in memory"


_AT_ONCE = (FindingFound, TestWritten, CampaignStarted, CampaignFinished)
_Encoded = tuple[Any, ...]


def _event(event: Event) -> _Encoded:
    # Encoded when told, not when committed: a value JSON refuses fails its own call and no later commit.
    return encode_event(time.time(), event)


def _add_event(event: _Encoded, ledger: Ledger) -> None:
    ledger.add(EVENTS, event)


def _add_corpus(row: _Encoded, ledger: Ledger) -> None:
    ledger.add(CORPUS, row)


def _add_finding(finding: Finding, row: _Encoded, event: _Encoded, ledger: Ledger) -> None:
    if ledger.offer_finding(finding, row):
        ledger.add(EVENTS, event)


def _add_test(row: _Encoded, event: _Encoded, ledger: Ledger) -> None:
    ledger.put_test(row)
    ledger.add(EVENTS, event)


def _add_checkpoint(checkpoints: Checkpoints, saved: Saved, ledger: Ledger) -> None:
    ledger.add(CHECKPOINTS, (saved.shard, saved.episodes, saved.file, saved.sha256))
    checkpoints.supersede(ledger.connection, ledger.campaign.id, saved.shard)


def _set_status(status: str, reason: str, event: _Encoded, ledger: Ledger) -> None:
    ledger.campaign = replace(ledger.campaign, status=status, reason=reason)
    ledger.add(EVENTS, event)


def _counted(ledger: Ledger, progress: Progress) -> CampaignRow:
    return replace(
        ledger.campaign,
        episodes=progress.episodes,
        valid=progress.valid,
        unique=progress.unique,
        findings=progress.findings,
        wall=progress.wall,
        cpu=progress.cpu,
        extra=progress.extra,
    )


def _point(event: Progress) -> Progress:
    """What a curve is drawn from."""
    extra = {key: value for key, value in event.extra.items() if len(json.dumps(value)) <= KEPT_CHARACTERS}
    return replace(event, extra=extra)


def _last_progress(event: CampaignFinished) -> Progress:
    return Progress(
        event.episodes, event.valid, event.unique, event.findings, event.wall, event.cpu, event.extra
    )


def _hash_of(path: str) -> str:
    try:
        return sha256(read_bytes(path))
    except OSError:
        return ""
