"""The folder of a store is made of files and folders. It may have come with somebody else's project.

A link in it would let the store write, move or show what lies elsewhere, and a pipe would hold up whoever
opens it. untrod makes neither.
"""

from __future__ import annotations

import os
from pathlib import Path

from untrod.core.errors import UntrodError

_LOOKED_INTO = (
    "acknowledged",
    "backups",
    "checkpoints",
    "corpus",
    "locks",
    "quarantine",
    "screens",
    "tables",
)
"""Not `reports`, which are replaced and not read, and not `scratch`, where workers make what they like."""


def check_tree(folder: Path, database: str) -> None:
    """Raises UntrodError for a link, a pipe or the like in the store's `folder`, and OSError."""
    if folder.is_symlink() and not (folder / database).exists() and any(folder.iterdir()):
        raise UntrodError(
            f"{folder} is a link to a folder that holds other things than a store",
            "remove it, or name the folder with --store",
        )
    for entry in os.scandir(folder):
        _check(entry)
        if entry.name in _LOOKED_INTO and entry.is_dir():
            for inner in os.scandir(entry.path):
                _check(inner)


def _check(entry: os.DirEntry[str]) -> None:
    if entry.is_file(follow_symlinks=False) or entry.is_dir(follow_symlinks=False):
        return
    try:
        os.lstat(entry.path)
    except FileNotFoundError:
        return  # another process has just removed it
    what = f"a link to {os.readlink(entry.path)}" if entry.is_symlink() else "neither a file nor a folder"
    raise UntrodError(
        f"{entry.path} is {what}, which untrod never makes: the store is left alone",
        "look where it comes from, and remove it",
    )
