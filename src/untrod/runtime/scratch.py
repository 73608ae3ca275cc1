"""Folders that workers may write to, and that never outlive their use.

A pool's folder is locked while the pool lives. A pool that was killed could not tidy up, so the next one
in the same place removes every folder whose lock is free.
"""

from __future__ import annotations

import fcntl
import itertools
import os
import secrets
import stat
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from untrod.runtime import launch

_PREFIX = "untrod-pool-"


class Scratch:
    """One pool's folder under `root`."""

    def __init__(self, root: Path) -> None:
        root.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(root)
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=root)).resolve()
        launch.remove_after_us(self.path)
        self._lock = os.open(self.path, os.O_RDONLY)
        fcntl.flock(self._lock, fcntl.LOCK_EX)

    def folder(self, name: str) -> Path:
        """A new, empty folder."""
        path = self.path / name
        path.mkdir()
        (path / "tmp").mkdir()
        return path

    def close(self) -> None:
        remove_tree(self.path)
        launch.keep_after_us(self.path)
        os.close(self._lock)


def stage() -> Path:
    """A new folder that every user can reach, as a worker's own need not be: for programs run as nobody."""
    path = Path(tempfile.mkdtemp(prefix="untrod-stage-")).resolve()
    path.chmod(0o755)
    launch.remove_after_us(path)
    return path


def leave_stage(path: Path) -> None:
    remove_tree(path)
    launch.keep_after_us(path)


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
    names = (f"untrod-{secrets.token_hex(8)}-{number}" for number in itertools.count())
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


def _remove_abandoned(root: Path) -> None:
    for path in root.glob(_PREFIX + "*"):
        try:
            lock = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)  # no pool has made a link
        except OSError:
            continue  # another pool is removing it, or it is another user's
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove_tree(path)
        except OSError:
            pass  # its pool is alive
        finally:
            os.close(lock)
