"""The files of a store: written so that they survive a power cut, and verified by their digest."""

from __future__ import annotations

import hashlib
from pathlib import Path

from untrod.core.writing import sync_folder, write_atomically
from untrod.store.failures import one_line


def write_atomic(path: Path, data: bytes) -> None:
    """Durable when it returns; before that, readers see the old file or none.

    Raises UntrodError (DiskFull when there is no room) and then leaves nothing behind.
    """
    with one_line(path):
        write_atomically(path, data)
        sync_folder(path.parent)


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
