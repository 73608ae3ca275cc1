"""Empties a folder in which a program has done what it likes.

It may have left folders that nobody may enter, folders too deep for a path or for recursion, pipes, and links
that lead out. Nothing is followed or opened but folders, and those by descriptors. All processes that could
still change something there must have ended.
"""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


def empty(folder: Path) -> None:
    """Afterwards it is a folder, and empty, and whatever user programs run as may write to it."""
    if not _is_folder(folder):
        folder.unlink(missing_ok=True)
        folder.mkdir()
    folder.chmod(0o777)  # the umask has a say in mkdir, and a program that runs as ourselves, too
    here = os.open(folder, _FOLDER)
    try:
        while names := os.listdir(here):
            for name in names:
                _remove(name, here)
    finally:
        os.close(here)


def names_in(folder: Path) -> list[str]:
    """What is in there; nothing if it is no folder any more."""
    if not _is_folder(folder):
        return []
    folder.chmod(0o777)
    return sorted(os.listdir(folder))


def remove(folder: Path) -> None:
    empty(folder)
    folder.rmdir()


def _remove(name: str, here: int) -> None:
    """A folder's content is moved up instead, and is next: so nothing is ever deep."""
    if not _is_folder(name, here):
        os.unlink(name, dir_fd=here)
        return
    os.chmod(name, 0o700, dir_fd=here)
    inner = os.open(name, _FOLDER, dir_fd=here)
    try:
        for child in os.listdir(inner):
            if _is_folder(child, inner):
                os.chmod(child, 0o700, dir_fd=inner)  # one that may not be written to cannot be moved
            os.rename(child, secrets.token_hex(16), src_dir_fd=inner, dst_dir_fd=here)
    finally:
        os.close(inner)
    os.rmdir(name, dir_fd=here)


def _is_folder(name: str | Path, here: int | None = None) -> bool:
    try:
        return stat.S_ISDIR(os.stat(name, dir_fd=here, follow_symlinks=False).st_mode)
    except FileNotFoundError:
        return False
