"""What was acknowledged last, noted apart from the database.

SQLite keeps the newest commits in a log. Where the log does not match its checksums it ends there, without a
word: what came after is gone as if it had never been written. So the time of each campaign's newest commit is
also kept in a small file of its own, `acknowledged/CAMPAIGN`, and a database that is behind such a note has
lost something.

A note is written after its commit, and not synced: after `kill -9` or a power cut it may be behind the
database, which says nothing, and it is never ahead of it.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from untrod.core.reading import read_bytes
from untrod.store.blobs import sha256
from untrod.store.database import Database
from untrod.store.failures import one_line
from untrod.store.quarantine import Quarantine
from untrod.store.row_shapes import is_campaign_id

_SIZE = 96
_LOOKS = 3  # a note is overwritten in place: a look may come in between
_UNREADABLE = -1.0


class Acknowledged:
    """The notes in `folder`. Those of this process are removed when it has closed the database for good."""

    def __init__(self, folder: Path, database: Database, quarantine: Quarantine, *, read_only: bool) -> None:
        self._folder = folder
        self._database = database
        self._log = database.path.with_name(database.path.name + "-wal")
        self._quarantine = quarantine
        self._read_only = read_only
        self._ours: dict[str, int] = {}  # descriptors

    def note(self, campaign: str, at: float) -> None:
        """`campaign` has just committed a row that says `at`. That is durable, so nothing is raised here."""
        try:
            if campaign not in self._ours:
                self._folder.mkdir(exist_ok=True)
                flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
                self._ours[campaign] = os.open(self._folder / campaign, flags, 0o666)
            os.pwrite(self._ours[campaign], _written(campaign, at), 0)
        except OSError as error:
            self._quarantine.name(f"what {campaign} has acknowledged cannot be noted: {error.strerror}")

    def compare(self) -> None:
        """Name what was acknowledged and is not in the database: once, unless the store is only read."""
        with one_line(self._folder):
            notes = self._read()  # first: meanwhile the database only becomes newer
            if not notes:
                return
            times = dict(self._database.rows("SELECT id, updated_at FROM campaigns"))
            losses = {name: loss for name, at in notes.items() if (loss := self._loss(name, at, times))}
            if any(notes[name] != _UNREADABLE for name in losses) and not self._read_only:
                self._quarantine.copy(self._log, "is not all that was written")
            for name, loss in losses.items():
                self._quarantine.name(loss)
                if not self._read_only:
                    self._quarantine.move(self._folder / name)

    def close(self) -> None:
        """The database is closed. If it needs no log any more, all of it is in one file, and synced."""
        at_rest = not self._log.exists()
        for campaign, descriptor in self._ours.items():
            os.close(descriptor)
            if at_rest:
                (self._folder / campaign).unlink(missing_ok=True)
        self._ours.clear()

    def _loss(self, name: str, noted: float, times: dict[Any, Any]) -> str:
        """What is lost, in words; empty when nothing is. (A row without a time fails its checksum anyway.)"""
        if noted == _UNREADABLE:
            return f"whether campaign {name} has lost anything is unknown: acknowledged/{name} is damaged"
        cause = f"{self._log.name} was damaged, or removed"
        if name not in times:
            return f"campaign {name} is lost: {cause}"
        known = times[name]
        if not isinstance(known, float) or known >= noted:
            return ""
        return f"campaign {name} has lost what it wrote from {_moment(known)} to {_moment(noted)}: {cause}"

    def _read(self) -> dict[str, float]:
        try:
            names = sorted(filter(is_campaign_id, os.listdir(self._folder)))
        except FileNotFoundError:
            return {}
        looked = {name: self._look(name) for name in names}
        return {name: at for name, at in looked.items() if at is not None}

    def _look(self, name: str) -> float | None:
        """The time in the note; None where a power cut came before the note reached the disk."""
        for _ in range(_LOOKS):
            try:
                body = read_bytes(self._folder / name, _SIZE, follow=False)
            except FileNotFoundError:
                return None  # its campaign has just ended
            except OSError:
                return _UNREADABLE
            at = _stated(name, body)
            if at != _UNREADABLE:
                break
        return at


def _written(campaign: str, at: float) -> bytes:
    """Always of one size, so that a later note covers an earlier one."""
    text = repr(at)
    return f"{text} {_proof(campaign, text)}".encode().ljust(_SIZE - 1) + b"\n"


def _stated(campaign: str, body: bytes) -> float | None:
    if not body.strip(b"\0"):
        return None
    text, _, proof = body.decode("ascii", "replace").strip().partition(" ")
    try:
        return float(text) if proof == _proof(campaign, text) else _UNREADABLE
    except ValueError:
        return _UNREADABLE


def _proof(campaign: str, text: str) -> str:
    return sha256(f"{campaign} {text}".encode("utf-8", "replace"))[:32]


def _moment(at: float) -> str:
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at))
    except (OverflowError, OSError, ValueError):
        return "a time that is none"
