"""Folders for passing work, removed when their owner closes the store or is found dead."""

from __future__ import annotations

import os
import secrets
import shutil
from pathlib import Path

from untrod.store.locks import FileLock
from untrod.store.quarantine import Quarantine

_OWNER = ".owner"


class Scratch:
    """This process's folder under `root`, made on first use.

    Its owner file lies beside it, out of reach of the code that works inside, and is locked as long as
    this process lives. Making and sweeping exclude one another, so a folder is never seen unowned.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._owner: FileLock | None = None

    def folder(self) -> Path:
        if self._owner is None:
            with _guard(self._root).waiting():
                name = f"{os.getpid()}-{secrets.token_hex(3)}"
                owner = FileLock(self._root / (name + _OWNER))
                owner.acquire(wait=True)
                _folder_of(owner.path).mkdir()
                self._owner = owner
        return _folder_of(self._owner.path)

    def close(self, quarantine: Quarantine) -> None:
        """Does nothing in a forked child: the folder is its parent's."""
        if self._owner is not None and self._owner.held:
            with _guard(self._root).waiting():
                self._owner.release()
                _remove(self._owner.path, quarantine)
        self._owner = None


def sweep(root: Path, quarantine: Quarantine) -> None:
    """Removes the folders whose owner is dead."""
    with _guard(root).waiting():
        for owner in sorted(root.glob("*" + _OWNER)):
            lock = FileLock(owner)
            if lock.acquire(wait=False):
                lock.release()
                _remove(owner, quarantine)


def _guard(root: Path) -> FileLock:
    root.mkdir(exist_ok=True)
    return FileLock(root / "lock")


def _folder_of(owner: Path) -> Path:
    return owner.with_name(owner.name.removesuffix(_OWNER))


def _remove(owner: Path, quarantine: Quarantine) -> None:
    try:
        if _folder_of(owner).exists():
            shutil.rmtree(_folder_of(owner))
        owner.unlink(missing_ok=True)
    except OSError as error:
        quarantine.name(f"scratch folder {_folder_of(owner)} cannot be removed: {error.strerror}")
