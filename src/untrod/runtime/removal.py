"""How a folder that hostile code has lived in is removed."""

from __future__ import annotations

import itertools
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def remove_tree(path: Path) -> None:
    """Removes `path` whatever lived there has made of it: folders nested thousands deep, without permissions,
    with odd names. Never raises, and nothing outside of `path` is touched: no link is followed.

    Each folder inside is moved to the top and emptied there, so neither the depth of the call stack, nor the
    length of a path, nor the number of open descriptors depends on how deep they are.
    """
    try:
        parent = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return  # then there is nothing
    try:
        top = _enter(path.name, parent)
        if top is not None:
            _remove_folders(top)
            os.close(top)
        with suppress(OSError):
            os.rmdir(path.name, dir_fd=parent)
    finally:
        os.close(parent)


def _remove_folders(top: int) -> None:
    """All that is in the folder `top`."""
    names = (f"untrod-{os.urandom(8).hex()}-{number}" for number in itertools.count())
    waiting = _clear(top, top, names)
    while waiting:
        name = waiting.pop()
        folder = _enter(name, top)
        if folder is not None:
            waiting += _clear(folder, top, names)
            os.close(folder)
        with suppress(OSError):
            os.rmdir(name, dir_fd=top)


def _clear(folder: int, top: int, names: Iterator[str]) -> list[str]:
    """Unlinks what is no folder, and moves what is one to `top`. Under which names they wait there."""
    moved = []
    try:
        entries = os.listdir(folder)
    except OSError:
        entries = []
    for entry in entries:
        with suppress(OSError):
            if not stat.S_ISDIR(os.stat(entry, dir_fd=folder, follow_symlinks=False).st_mode):
                os.unlink(entry, dir_fd=folder)
            else:
                new = next(names)
                _permit(entry, folder)  # to be moved, a folder has to be writable
                os.rename(entry, new, src_dir_fd=folder, dst_dir_fd=top)
                moved.append(new)
    return moved


def _enter(name: str, parent: int) -> int | None:
    """A descriptor of the folder; None when it is none."""
    with suppress(OSError):
        _permit(name, parent)
        return os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=parent)
    return None


def _permit(name: str, parent: int) -> None:
    """We may read, write and search the folder `name` again. Raises OSError when it is none."""
    if not hasattr(os, "O_PATH"):
        os.chmod(name, stat.S_IRWXU, dir_fd=parent, follow_symlinks=False)
        return
    handle = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=parent)
    try:
        if os.fstat(handle).st_mode & stat.S_IRWXU != stat.S_IRWXU:
            os.chmod(f"/proc/self/fd/{handle}", stat.S_IRWXU)
    finally:
        os.close(handle)
