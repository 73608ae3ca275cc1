"""Files that others named or left lying about, read so that none can hold up or fill up the reader.

A tree may hold a FIFO called `x.py`, a link to `/dev/zero`, a socket, or a film with the wrong ending. Only
regular files are read, and of those only so many bytes. Everything else is an OSError whose `strerror` says
what it is, like any other file that cannot be read.
"""

from __future__ import annotations

import errno
import io
import json
import os
import stat
from pathlib import Path

from untrod.core.vocabulary import Json

SOURCE = 2_000_000
"""Bytes of a file that people write: more is data, not a program."""
DATA = 64_000_000
LARGE = 4_000_000_000
"""Of weights and of programs that were built."""
_CHUNK = 1_000_000
_KINDS = (
    (stat.S_ISLNK, "it is a link"),
    (stat.S_ISDIR, "it is a folder"),
    (stat.S_ISFIFO, "it is a FIFO"),
    (stat.S_ISSOCK, "it is a socket"),
)

Name = str | os.PathLike[str]


def read_bytes(path: Name, most: int = DATA, *, follow: bool = True) -> bytes:
    """All of a regular file, never blocking. Raises OSError for anything else, for a larger one and, unless
    it may `follow` them, for a symbolic link."""
    with open_regular(path, follow=follow) as file:
        size = os.fstat(file.fileno()).st_size
        read = b"" if size > most else _at_most(file, most + 1)
    if size > most or len(read) > most:
        raise OSError(errno.EFBIG, f"it is larger than {_size(most)}", str(path))
    return read


def open_regular(path: Name, *, follow: bool = True) -> io.FileIO:
    """A regular file, open, for callers that do not want all of it. Raises OSError."""
    try:
        found = os.stat(path, follow_symlinks=follow)
    except ValueError:
        raise OSError(errno.EINVAL, "no file has such a name", str(path)) from None
    _check(found, path)  # before it is opened: that alone makes some devices do things
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY | (0 if follow else os.O_NOFOLLOW)
    file = io.FileIO(os.open(path, flags), "rb")
    try:
        _check(os.fstat(file.fileno()), path)  # it may have become another
    except BaseException:
        file.close()
        raise
    return file


def read_inside(folder: Path, name: str, most: int) -> bytes:
    """A file below `folder`, wherever links lead. Raises OSError, also when it lies elsewhere; ValueError
    where no file can be called so."""
    top = os.path.realpath(folder)
    path = os.path.realpath(os.path.join(top, name))
    if os.path.commonpath((top, path)) != top:
        raise PermissionError(errno.EACCES, "not in the folder", name)
    return read_bytes(path, most, follow=False)


def read_text(path: Name, most: int = DATA, errors: str = "strict") -> str:
    """The text of a regular UTF-8 file, with line ends as Python has them. Raises as `read_bytes`, and
    UnicodeDecodeError."""
    with io.TextIOWrapper(io.BytesIO(read_bytes(path, most)), encoding="utf-8", errors=errors) as text:
        return text.read()


def is_regular(path: Name) -> bool:
    """Whether there is a file to read; False also for what cannot be looked at. Never raises."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def parse_json(text: str | bytes) -> Json:
    """Raises ValueError, also for what is nested so deeply that no parser likes it."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def load_json(path: Path, most: int = DATA) -> Json:
    """Raises OSError or ValueError."""
    return parse_json(read_bytes(path, most))


def _check(found: os.stat_result, path: Name) -> None:
    if stat.S_ISREG(found.st_mode):
        return
    what = next((words for is_one, words in _KINDS if is_one(found.st_mode)), "it is a device")
    raise OSError(errno.EINVAL, what, str(path))


def _at_most(file: io.FileIO, limit: int) -> bytes:
    parts: list[bytes] = []
    while limit > 0 and (part := file.read(min(limit, _CHUNK))):
        parts.append(part)
        limit -= len(part)
    return b"".join(parts)


def _size(most: int) -> str:
    return f"{most / 1e9:g} GB" if most >= 1e9 else f"{most / 1e6:g} MB" if most >= 1e6 else f"{most:,} bytes"
