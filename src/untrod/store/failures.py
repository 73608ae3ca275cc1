"""What SQLite and the file system say, as one line a person can act on."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from untrod.core.errors import UntrodError

RECOVER = "keep a copy, save what can be read with `sqlite3 store.sqlite3 .recover`, then move it aside"


class Damaged(UntrodError):
    """The database cannot be read as it was written."""

    def __init__(self, place: Path, detail: str) -> None:
        super().__init__(f"the store {place} is damaged: {detail}; nothing was changed", RECOVER)


class DiskFull(UntrodError):
    """`kept` says what is safe; it is the first thing a person wants to know."""

    def __init__(self, place: Path, kept: str = "everything committed before is kept") -> None:
        super().__init__(f"the disk is full, cannot write to {place}: {kept}", "free some space and resume")


@contextmanager
def one_line(place: Path) -> Iterator[None]:
    """Turns errors of SQLite and the file system into an UntrodError about `place`.

    A mistake in the calling code (using a closed store, binding a wrong type) stays what it is.
    """
    try:
        yield
    except (sqlite3.ProgrammingError, sqlite3.InterfaceError):
        raise
    except sqlite3.Error as error:
        raise _from_sqlite(error, place) from error
    except UnicodeDecodeError as error:
        # SQLite's own message quotes damaged text.
        raise Damaged(place, "its text is not readable") from error
    except OSError as error:
        raise _from_system(error, place) from error


def _from_sqlite(error: sqlite3.Error, place: Path) -> UntrodError:
    # The low byte is the primary code; the rest refines it.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return DiskFull(place)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return UntrodError(f"another process is busy writing to {place}", "try again when it is done")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return UntrodError(f"cannot open {place}: {error}", _writable(place))
    if code == sqlite3.SQLITE_IOERR:
        return UntrodError(
            f"the disk failed while using {place}: {error}", "check the disk and its free space"
        )
    return Damaged(place, str(error))


def _from_system(error: OSError, place: Path) -> UntrodError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull(place)
    reason = os.strerror(error.errno) if error.errno else str(error)
    return UntrodError(f"cannot use {error.filename or place}: {reason}", _writable(place))


def _writable(place: Path) -> str:
    return f"make {place.parent} a folder you can write to, or name another with --store"
