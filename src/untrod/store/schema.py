"""The format of the database, one function per version.

Version n is what the first n functions of MIGRATIONS make of an empty database. To change the format,
append a function; never edit one that was released. A store of an older version is copied to `backups/`
and then migrated in one transaction.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import TypeAlias

Migration: TypeAlias = Callable[[sqlite3.Connection], None]

APPLICATION_ID = 0x756E7472  # "untr": tells a store from anybody else's SQLite file


def _version_1(connection: sqlite3.Connection) -> None:
    """Free text is kept as ASCII JSON: SQLite takes no lone surrogates, and programs under test do."""
    for statement in _TABLES_1:
        connection.execute(statement)


_TABLES_1 = (
    """CREATE TABLE campaigns (
        id TEXT PRIMARY KEY, engine TEXT NOT NULL, target TEXT NOT NULL, config TEXT NOT NULL,
        seed TEXT NOT NULL, budget TEXT NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL,
        created_at REAL NOT NULL, updated_at REAL NOT NULL, episodes INTEGER NOT NULL,
        valid INTEGER NOT NULL, "unique" INTEGER NOT NULL, findings INTEGER NOT NULL,
        wall REAL NOT NULL, cpu REAL NOT NULL, extra TEXT NOT NULL, rows TEXT NOT NULL,
        checksum BLOB NOT NULL) WITHOUT ROWID""",
    """CREATE TABLE events (
        campaign TEXT NOT NULL REFERENCES campaigns (id), seq INTEGER NOT NULL, at REAL NOT NULL,
        name TEXT NOT NULL, body TEXT NOT NULL, checksum BLOB NOT NULL,
        PRIMARY KEY (campaign, seq)) WITHOUT ROWID""",
    """CREATE TABLE findings (
        campaign TEXT NOT NULL REFERENCES campaigns (id), seq INTEGER NOT NULL, key TEXT NOT NULL,
        id TEXT NOT NULL, body TEXT NOT NULL, checksum BLOB NOT NULL,
        PRIMARY KEY (campaign, seq), UNIQUE (campaign, key)) WITHOUT ROWID""",
    """CREATE TABLE corpus (
        campaign TEXT NOT NULL REFERENCES campaigns (id), seq INTEGER NOT NULL, key TEXT NOT NULL,
        body TEXT NOT NULL, checksum BLOB NOT NULL,
        PRIMARY KEY (campaign, seq), UNIQUE (campaign, key)) WITHOUT ROWID""",
    """CREATE TABLE checkpoints (
        campaign TEXT NOT NULL REFERENCES campaigns (id), seq INTEGER NOT NULL, shard INTEGER NOT NULL,
        episodes INTEGER NOT NULL, file TEXT NOT NULL, sha256 TEXT NOT NULL, checksum BLOB NOT NULL,
        PRIMARY KEY (campaign, seq)) WITHOUT ROWID""",
    """CREATE TABLE tests (
        campaign TEXT NOT NULL REFERENCES campaigns (id), seq INTEGER NOT NULL, path TEXT NOT NULL,
        sha256 TEXT NOT NULL, findings TEXT NOT NULL, checksum BLOB NOT NULL,
        PRIMARY KEY (campaign, seq), UNIQUE (campaign, path)) WITHOUT ROWID""",
    """CREATE TABLE quarantine (
        at REAL NOT NULL, source TEXT NOT NULL, campaign TEXT NOT NULL, reason TEXT NOT NULL,
        content TEXT NOT NULL)""",
)


def _version_2(connection: sqlite3.Connection) -> None:
    """The events of one name, such as the progress of a curve, among a million others."""
    connection.execute("CREATE INDEX events_by_name ON events (campaign, name, seq)")


MIGRATIONS: tuple[Migration, ...] = (_version_1, _version_2)


def upgrade(connection: sqlite3.Connection, since: int, migrations: Sequence[Migration]) -> None:
    """From version `since` to the newest; the caller holds the transaction."""
    for migrate in migrations[since:]:
        migrate(connection)
    connection.execute(f"PRAGMA user_version = {len(migrations)}")


def definitions(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    """The schema as SQLite keeps it: a changed letter there could change how values are read."""
    return set(connection.execute("SELECT name, coalesce(sql, '') FROM sqlite_master"))


def expected_definitions(migrations: Sequence[Migration]) -> set[tuple[str, str]]:
    connection = sqlite3.connect(":memory:")
    try:
        upgrade(connection, 0, migrations)
        return definitions(connection)
    finally:
        connection.close()
