"""The SQLite file: opened only when it is what we wrote, and written so that `kill -9` costs nothing."""

from __future__ import annotations

import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any

from untrod.core.errors import UntrodError
from untrod.core.reading import is_regular
from untrod.core.writing import sync_folder
from untrod.store.failures import Damaged, one_line
from untrod.store.locks import FileLock
from untrod.store.quarantine import Quarantine
from untrod.store.schema import (
    APPLICATION_ID,
    MIGRATIONS,
    Migration,
    definitions,
    expected_definitions,
    upgrade,
)

BUSY_SECONDS = 10.0
CHECKED_BYTES = 32 << 20  # of a larger file only the small tables are checked: the rest would take seconds
MOST_BYTES = 2**28
"""Of one row: a larger one is none of ours, and nobody's memory is to be filled with it."""
_SMALL_TABLES = ("campaigns", "findings", "checkpoints", "tests")
_MAGIC = b"SQLite format 3\x00"
_WAL_VERSIONS = b"\x02\x02"


class Database:
    """One connection. Every call raises UntrodError for anything a person can mend.

    Transactions are short and take the write lock at once, so campaigns in several processes share the
    file; `synchronous=FULL` makes a commit survive a power cut. Threads take turns. A forked child must
    not use its parent's connection.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection
        self._turn = threading.RLock()

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with self._turn, one_line(self.path):
            return self.connection.execute(query, values).fetchall()

    @property
    def version(self) -> int:
        """Changes with every commit of another connection."""
        return int(self.rows("PRAGMA data_version")[0][0])

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Committed when the block ends, undone when it raises. An inner block belongs to the outer one."""
        with self._turn, one_line(self.path):
            if self.connection.in_transaction:
                yield self.connection
                return
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                # SQLite has already rolled back after some errors, a full disk among them.
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        with self._turn, one_line(self.path):
            self.connection.close()


def open_database(
    path: Path,
    quarantine: Quarantine,
    *,
    create: bool,
    read_only: bool,
    migrations: Sequence[Migration] = MIGRATIONS,
) -> Database:
    """Open `path`, making or migrating it first where needed.

    What is not a healthy store of a known version is refused with an UntrodError and left as it is.
    """
    with one_line(path):
        if os.path.lexists(path) and not is_regular(path):
            raise UntrodError(f"{path} is no ordinary file", "move it aside")
        if not path.exists():
            if read_only or not create:
                raise UntrodError(f"there is no store in {path.parent}", "run a campaign first")
            with _alone(path):
                if not path.exists():
                    _create(path, quarantine, migrations)
        if _inspect(path, migrations) < len(migrations):
            with _alone(path):
                since = _inspect(path, migrations)
                if since < len(migrations):
                    _migrate(path, since, migrations)
        return Database(path, _connect(path, read_only=read_only))


def _alone(path: Path) -> AbstractContextManager[None]:
    return FileLock(path.with_suffix(".lock")).waiting()


def _connect(path: Path, *, read_only: bool) -> sqlite3.Connection:
    mode = _read_mode(path) if read_only else "rw"
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES)
    # Damaged text must reach the checksum, not fail to decode on the way.
    connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    try:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        connection.execute("PRAGMA journal_size_limit = 16777216")
    except BaseException:
        connection.close()
        raise
    return connection


def _read_mode(path: Path) -> str:
    companions = [path.with_name(path.name + suffix) for suffix in ("-wal", "-shm")]
    if os.access(path.parent, os.W_OK) or any(companion.exists() for companion in companions):
        return "ro"
    # SQLite cannot make its shared-memory file here, but a store at rest can be read without.
    return "ro&immutable=1"


def _create(path: Path, quarantine: Quarantine, migrations: Sequence[Migration]) -> None:
    """Made under another name and renamed when complete: an empty `path` thus always means damage."""
    for companion in ("-wal", "-shm"):
        stray = path.with_name(path.name + companion)
        if stray.exists():
            # SQLite would replay another database's log into the new one.
            quarantine.file(stray, "belongs to a database that is gone")
    for leftover in path.parent.glob(f".{path.name}.*.tmp*"):
        leftover.unlink()  # we are alone here, so whoever made it is dead
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    temporary.touch()
    try:
        with closing(_connect(temporary, read_only=False)) as connection:
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute("BEGIN IMMEDIATE")
            upgrade(connection, 0, migrations)
            connection.execute("COMMIT")
            # Not before: in a log, what does not fit on the disk would only be noticed when it is read again.
            connection.execute("PRAGMA journal_mode = WAL")
        os.replace(temporary, path)
    finally:
        for suffix in ("", "-wal", "-shm"):
            temporary.with_name(temporary.name + suffix).unlink(missing_ok=True)
    sync_folder(path.parent)


def _inspect(path: Path, migrations: Sequence[Migration]) -> int:
    """The format version, once the file is known to be a healthy store. Reads only."""
    with open(path, "rb") as file:
        header = file.read(100)
    if len(header) < 100:
        raise Damaged(path, f"it is cut off after {len(header)} bytes")
    if not header.startswith(_MAGIC):
        raise UntrodError(f"{path} is not a database; nothing was changed", "move it aside")
    page = int.from_bytes(header[16:18], "big") or 1
    if path.stat().st_size % (65536 if page == 1 else page) and not _has_log(path):
        raise Damaged(path, "its last page is cut off")
    with closing(_connect(path, read_only=True)) as connection:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        if application != APPLICATION_ID:
            raise UntrodError(f"{path} belongs to another program; nothing was changed", "move it aside")
        if version > len(migrations):
            raise UntrodError(
                f"{path} has format {version}, newer than this untrod reads; nothing was changed",
                "run: pip install --upgrade untrod",
            )
        if version < 1 or header[18:20] != _WAL_VERSIONS:
            raise Damaged(path, "its header is not one that untrod writes")
        _check(path, connection, version, migrations)
    return version


def _has_log(path: Path) -> bool:
    """Whether commits wait in SQLite's log: until they are copied back, the file itself may lag behind."""
    log = path.with_name(path.name + "-wal")
    return log.exists() and log.stat().st_size > 0


def _check(path: Path, connection: sqlite3.Connection, version: int, migrations: Sequence[Migration]) -> None:
    if definitions(connection) != expected_definitions(migrations[:version]):
        raise Damaged(path, "its tables are not the ones that untrod makes")
    whole = path.stat().st_size <= CHECKED_BYTES
    for part in ("1",) if whole else _SMALL_TABLES:
        verdict = str(connection.execute(f"PRAGMA quick_check({part})").fetchone()[0])
        if verdict != "ok":
            raise Damaged(path, " ".join(verdict.split()))


def _migrate(path: Path, since: int, migrations: Sequence[Migration]) -> None:
    backup = _back_up(path, since)
    with closing(_connect(path, read_only=False)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        try:
            upgrade(connection, since, migrations)
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise UntrodError(
                f"{path} cannot be migrated from format {since}: {error}; nothing was changed",
                f"a copy is in {backup}",
            ) from error


def _back_up(path: Path, since: int) -> Path:
    folder = path.with_name("backups")
    folder.mkdir(exist_ok=True)
    stamp = time.strftime("%Y%m%d-%H%M%S")
    backup = folder / f"{path.stem}-format{since}-{stamp}-{secrets.token_hex(2)}{path.suffix}"
    temporary = backup.with_name(backup.name + ".part")
    with closing(_connect(path, read_only=True)) as source, closing(sqlite3.connect(temporary)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
    with open(temporary, "rb") as file:
        os.fsync(file.fileno())
    os.replace(temporary, backup)
    sync_folder(folder)
    return backup
