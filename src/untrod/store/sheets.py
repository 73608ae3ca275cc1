"""Tables of numbered rows that carry a checksum.

A row is `(campaign, seq, ..., checksum)`. The rows of a campaign are numbered from 1 without a gap, and the
campaign knows how many it has, so a changed row is noticed by its checksum and a vanished one by its number.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from untrod.store.database import Database
from untrod.store.failures import Damaged
from untrod.store.quarantine import Quarantine

Row: TypeAlias = tuple[Any, ...]

_MOST = 1 << 26  # rows that are missed when they are not there: a store may claim to have had any number
_PAGE = 500  # rows read at a time: a long-lived cursor would keep SQLite's log from being recycled


@dataclass(frozen=True)
class Sheet:
    """One such table. `key` names the column that makes a row unique within its campaign, if any."""

    name: str
    columns: tuple[str, ...]  # after campaign and seq, before checksum
    key: str = ""
    _insert: str = field(init=False, repr=False)
    _select: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        columns = ", ".join(("campaign", "seq", *self.columns, "checksum"))
        marks = ", ".join("?" * (len(self.columns) + 3))
        conflict = f" ON CONFLICT (campaign, {self.key}) DO NOTHING" if self.key else ""
        object.__setattr__(self, "_insert", f"INSERT INTO {self.name} ({columns}) VALUES ({marks}){conflict}")
        object.__setattr__(self, "_select", f"SELECT {columns} FROM {self.name} WHERE campaign = ?")

    def insert(self, connection: sqlite3.Connection, row: Row) -> bool:
        """Add `row` (without checksum); False when its key is already there."""
        return connection.execute(self._insert, (*row, seal(self.name, row))).rowcount == 1

    def replace(self, connection: sqlite3.Connection, row: Row) -> None:
        """Put `row` (without checksum) in the place of the one with the same campaign and seq."""
        connection.execute(f"DELETE FROM {self.name} WHERE campaign = ? AND seq = ?", row[:2])
        self.insert(connection, row)

    def delete(self, connection: sqlite3.Connection, row: Row) -> None:
        connection.execute(f"DELETE FROM {self.name} WHERE campaign = ? AND seq = ?", row[:2])

    def find(self, database: Database, quarantine: Quarantine, campaign: str, key: str) -> Row | None:
        """The row of that key, without its checksum."""
        for row in database.rows(f"{self._select} AND {self.key} = ?", campaign, key):
            if is_intact(self.name, row):
                return row[:-1]
            quarantine.row(database, self.name, campaign, row, CHANGED)
        return None

    def scan(
        self,
        database: Database,
        quarantine: Quarantine,
        campaign: str,
        *,
        after: int = 0,
        expected: int | None = None,
    ) -> Iterator[Row]:
        """The rows numbered above `after`, in order, without checksum; damaged ones are set aside.

        `expected` is how many rows the campaign says it wrote; when fewer are there, that is named too.
        """
        expected = min(expected, _MOST) if expected else 0
        unseen = bytearray(b"\x01") * expected  # by seq - 1
        explained = quarantine.rows_of(database, self.name, campaign) if expected else 0
        for row in self._walk(database, campaign, after):
            if not is_intact(self.name, row) or not isinstance(row[1], int):
                explained += 1
                quarantine.row(database, self.name, campaign, row, CHANGED)
                continue
            if 0 < row[1] <= len(unseen):
                unseen[row[1] - 1] = 0
            yield row[:-1]
        if unseen.count(1) > explained:
            yield from self._search(database, quarantine, campaign, unseen)
        if unseen.count(1) > explained:
            missing = unseen.count(1) - explained
            quarantine.name(f"{missing} of {expected} rows of the {self.name} of {campaign} are missing")

    def pick(
        self, database: Database, quarantine: Quarantine, campaign: str, numbers: Sequence[int]
    ) -> Iterator[Row]:
        """The rows of these numbers that are there and whole, in order, without checksum."""
        for start in range(0, len(numbers), _PAGE):
            page = numbers[start : start + _PAGE]
            marks = ", ".join("?" * len(page))
            rows = database.rows(f"{self._select} AND seq IN ({marks}) ORDER BY seq", campaign, *page)
            for row in rows:
                if is_intact(self.name, row):
                    yield row[:-1]
                else:
                    quarantine.row(database, self.name, campaign, row, CHANGED)

    def _search(
        self, database: Database, quarantine: Quarantine, campaign: str, unseen: bytearray
    ) -> Iterator[Row]:
        """Rows that SQLite passes over because a damaged neighbour is out of order: look at every row."""
        first, last = unseen.index(1) + 1, unseen.rindex(1) + 1
        # The plus keeps SQLite from trusting the order of the rows.
        query = f"{self._select.replace('campaign = ?', '+campaign = ?')} AND +seq BETWEEN ? AND ?"
        for row in database.rows(query, campaign, first, last):
            if is_intact(self.name, row) and unseen[row[1] - 1]:
                unseen[row[1] - 1] = 0
                quarantine.name(f"row {row[1]} of the {self.name} of {campaign} was out of order: used")
                yield row[:-1]

    def _walk(self, database: Database, campaign: str, after: int) -> Iterator[Row]:
        while True:
            page = database.rows(f"{self._select} AND seq > ? ORDER BY seq LIMIT {_PAGE}", campaign, after)
            yield from page
            if len(page) < _PAGE:
                return
            last = page[-1][1]
            if not isinstance(last, int) or last <= after:
                raise Damaged(database.path, f"the {self.name} of {campaign} are out of order")
            after = last


CHANGED = "does not match its checksum"


def seal(table: str, row: Row) -> bytes:
    """The checksum of a row. `ascii` tells types apart and is the same in every version of Python."""
    return hashlib.blake2b(ascii((table, *row)).encode(), digest_size=16).digest()


def is_intact(table: str, row: Row) -> bool:
    """Whether the last value of `row` is the checksum of the others."""
    return bool(row[-1] == seal(table, row[:-1]))


FINDINGS = Sheet("findings", ("key", "id", "body"), key="key")
CORPUS = Sheet("corpus", ("key", "body"), key="key")
EVENTS = Sheet("events", ("at", "name", "body"))
TESTS = Sheet("tests", ("path", "sha256", "findings"), key="path")
CHECKPOINTS = Sheet("checkpoints", ("shard", "episodes", "file", "sha256"))
