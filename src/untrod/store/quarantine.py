"""What cannot be read is set aside and named: never raised, never deleted."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from untrod.store.database import Database


class Quarantine:
    """Moves damaged files to `folder` and damaged rows to the `quarantine` table; `notices` names each.

    A read-only store names without moving.
    """

    def __init__(self, folder: Path, notices: list[str], *, read_only: bool) -> None:
        self._folder = folder
        self._notices = notices
        self._read_only = read_only

    def name(self, notice: str) -> None:
        if notice not in self._notices:
            self._notices.append(notice)

    def file(self, path: Path, reason: str) -> bool:
        """Set `path` aside because of `reason` ("does not match its checksum"); whether it was moved."""
        if self._read_only:
            self.name(f"{path.name} {reason}: not used")
            return False
        try:
            kept = self.move(path)
        except OSError as error:
            self.name(f"{path.name} {reason}: not used, and cannot be set aside: {error.strerror}")
            return False
        self.name(f"{path.name} {reason}: set aside as {self._folder.name}/{kept}")
        return True

    def move(self, path: Path) -> str:
        """Move `path` here without a notice; its new name. Raises OSError."""
        self._folder.mkdir(exist_ok=True)
        kept = self._free_name(path)
        os.rename(path, kept)
        return kept.name

    def copy(self, path: Path, reason: str) -> None:
        """Keep a copy of `path`, which others may go on with; nothing when it is not there."""
        try:
            data = path.read_bytes()
            if data:
                self._folder.mkdir(exist_ok=True)
                kept = self._free_name(path)
                kept.write_bytes(data)
                self.name(f"{path.name} {reason}: a copy is {self._folder.name}/{kept.name}")
        except FileNotFoundError:
            return
        except OSError as error:
            self.name(f"{path.name} {reason}, and cannot be copied: {error.strerror}")

    def row(self, database: Database, table: str, campaign: str, row: tuple[Any, ...], reason: str) -> None:
        """Set aside the row (campaign, seq, ..., checksum) of `table`.

        The row is moved only when its number and checksum single it out; otherwise it is named and stays
        where it is, since a wrong guess would take a healthy neighbour away.
        """
        seq, checksum = row[1], row[-1]
        self.name(f"row {seq!a} of the {table} of {campaign} {reason}: skipped")
        if self._read_only or not isinstance(seq, int) or not isinstance(checksum, bytes):
            return
        with database.transaction() as connection:
            moved = connection.execute(
                f"DELETE FROM {table} WHERE campaign = ? AND seq = ? AND checksum = ?",
                (campaign, seq, checksum),
            ).rowcount
            if moved:
                connection.execute(
                    "INSERT INTO quarantine (at, source, campaign, reason, content) VALUES (?, ?, ?, ?, ?)",
                    (time.time(), table, campaign, reason, ascii(row)),
                )

    def rows_of(self, database: Database, table: str, campaign: str) -> int:
        """How many rows of `table` were moved away so far."""
        found = database.rows(
            "SELECT count(*) FROM quarantine WHERE source = ? AND campaign = ?", table, campaign
        )
        return int(found[0][0])

    def _free_name(self, path: Path) -> Path:
        stamp = time.strftime("%Y%m%d-%H%M%S")
        candidate = self._folder / f"{stamp}-{path.name}"
        number = 1
        while candidate.exists():
            number += 1
            candidate = self._folder / f"{stamp}-{number}-{path.name}"
        return candidate
