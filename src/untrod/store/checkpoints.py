"""The learner of each shard, on disk: the newest two generations, each verified when it is read."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from untrod.core.reading import read_bytes
from untrod.core.shapes import Malformed
from untrod.core.writing import is_temporary
from untrod.store.blobs import sha256, write_atomic
from untrod.store.database import Database
from untrod.store.failures import one_line
from untrod.store.quarantine import Quarantine
from untrod.store.row_shapes import CHECKPOINT
from untrod.store.sheets import CHECKPOINTS, Row

GENERATIONS = 2
MOST_BYTES = 2**30
_FILE = re.compile(r"(?P<shard>\d+)-\d+(\.\d+)?\.bin")


@dataclass(frozen=True, slots=True)
class Saved:
    """A checkpoint whose file is on disk and whose row is not committed yet."""

    shard: int
    episodes: int
    file: str
    sha256: str


class Checkpoints:
    """Files in `folder/<campaign>/<shard>-<episodes>.bin`; a file counts once its row is committed."""

    def __init__(self, folder: Path, database: Database, quarantine: Quarantine) -> None:
        self._folder = folder
        self._database = database
        self._quarantine = quarantine

    def write(self, campaign: str, shard: int, episodes: int, blob: bytes) -> Saved:
        folder = self._folder / campaign
        with one_line(folder):
            folder.mkdir(parents=True, exist_ok=True)
        file = self._free_name(campaign, shard, episodes)
        write_atomic(folder / file, blob)
        return Saved(shard, episodes, file, sha256(blob))

    def supersede(self, connection: sqlite3.Connection, campaign: str, shard: int) -> None:
        """Forget all generations but the newest, within the transaction that added one."""
        for row in self._generations(campaign, shard)[GENERATIONS:]:
            CHECKPOINTS.delete(connection, row)

    def sweep(self, campaign: str, shard: int) -> None:
        """Remove this shard's files that no row names: superseded, or never committed."""
        kept = {row[4] for row in self._generations(campaign, shard)}
        with one_line(self._folder / campaign):
            for path in (self._folder / campaign).iterdir():
                match = _FILE.fullmatch(path.name)
                superseded = match and int(match["shard"]) == shard and path.name not in kept
                if superseded or is_temporary(path.name):
                    path.unlink(missing_ok=True)

    def newest(self, campaign: str, shard: int) -> tuple[int, bytes] | None:
        """The episodes and blob of the newest generation that is whole."""
        for row in self._generations(campaign, shard):
            path = self._folder / campaign / row[4]
            try:
                blob = read_bytes(path, MOST_BYTES, follow=False)
            except OSError as error:
                self._quarantine.name(f"checkpoint {campaign}/{row[4]} cannot be read: {error.strerror}")
                continue
            if sha256(blob) == row[5]:
                return int(row[3]), blob
            if self._quarantine.file(path, f"of {campaign} does not match its checksum"):
                with self._database.transaction() as connection:
                    CHECKPOINTS.delete(connection, row)
        return None

    def _generations(self, campaign: str, shard: int) -> list[Row]:
        found = []
        for row in CHECKPOINTS.scan(self._database, self._quarantine, campaign):
            try:
                CHECKPOINT(list(row[2:]), "it")
            except Malformed as error:
                self._quarantine.name(f"row {row[1]} of the checkpoints of {campaign} is unreadable: {error}")
            else:
                found += [row] if row[2] == shard else []
        return found[::-1]

    def _free_name(self, campaign: str, shard: int, episodes: int) -> str:
        """Never the name of a committed file: it must stay whole until its successor is committed."""
        taken = {row[4] for row in self._generations(campaign, shard)}
        name = f"{shard}-{episodes}.bin"
        number = 1
        while name in taken:
            number += 1
            name = f"{shard}-{episodes}.{number}.bin"
        return name
