"""Files that are written whole or not at all, and folders that one process at a time writes to."""

from __future__ import annotations

import fcntl
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_TEMPORARY = re.compile(r"\..+\.[0-9a-f]{8}\.tmp")


def write_atomically(path: Path, content: str | bytes) -> None:
    """Readers see the old file, or none, and then the whole new one. Creates the folder. Raises OSError.

    The content is on the disk when this returns. That the file is called `path` survives a power cut only
    after a `sync_folder`.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    with open(temporary, "xb") as file:
        try:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def is_temporary(name: str) -> bool:
    """Whether a writer that died may have left a file of this name: without a living writer, remove it."""
    return _TEMPORARY.fullmatch(name) is not None


def sync_folder(folder: Path) -> None:
    """Makes renames inside `folder` survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Others who ask for `folder` wait: the turns of a hunt write their tests side by side. Creates it."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        except OSError:
            pass  # a network folder may have no locks
        yield
    finally:
        os.close(descriptor)
