"""Files that are there whole or not at all."""

from __future__ import annotations

import errno
import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from untrod.store.blobs import read_file


def write_atomically(path: Path, text: str | bytes) -> None:
    """Either the old file or the whole new one, whatever happens in between. Creates the folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode() if isinstance(text, str) else text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)  # mkstemp keeps files private; these are to be shared
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def read_inside(folder: Path, name: str, most: int) -> bytes:
    """A file below `folder`, wherever links lead. Raises OSError, also when it lies elsewhere, is no regular
    file, or has more than `most` bytes; ValueError where no file can be called so."""
    top = os.path.realpath(folder)
    path = os.path.realpath(os.path.join(top, name))
    if os.path.commonpath((top, path)) != top:
        raise PermissionError(errno.EACCES, "not in the folder", name)
    return read_file(Path(path), most)


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
