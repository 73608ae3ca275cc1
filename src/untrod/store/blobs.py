"""Files that are either whole or absent, whatever moment the process or the machine stops."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import secrets
import stat
from pathlib import Path

from untrod.store.failures import one_line

_LEFTOVER = re.compile(r"\..+\.[0-9a-f]{8}\.tmp")


def write_atomic(path: Path, data: bytes) -> None:
    """Durable when it returns; before that, readers see the old file or none.

    Raises UntrodError (DiskFull when there is no room) and then leaves nothing behind.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    with one_line(path):
        try:
            with open(temporary, "xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)


def read_file(path: Path, most: int) -> bytes:
    """All of a regular file. Raises OSError for anything else, such as a link or a pipe, and for more than
    `most` bytes."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        with open(descriptor, "rb", closefd=False) as file:
            data = file.read(most + 1)
    finally:
        os.close(descriptor)
    if len(data) > most:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return data


def sync_folder(folder: Path) -> None:
    """Makes renames inside `folder` survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def is_leftover(name: str) -> bool:
    """Whether `name` is a temporary file of a writer that died: safe to remove when no writer is alive."""
    return _LEFTOVER.fullmatch(name) is not None


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
