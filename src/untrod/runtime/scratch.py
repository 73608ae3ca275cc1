"""Folders that workers may write to, and that never outlive their use.

A pool's folder is locked while the pool lives. A pool that was killed could not tidy up, so the next one
in the same place removes every folder whose lock is free.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from pathlib import Path

from untrod.runtime import launch
from untrod.runtime.removal import remove_tree

_PREFIX = "untrod-pool-"
_LONGEST, _SHORT = 30, Path("/tmp")


class Scratch:
    """One pool's folder under `root`."""

    def __init__(self, root: Path) -> None:
        root.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(root)
        self.path = launch.temporary_folder(_PREFIX, root)
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
    """A new folder that every user can reach, as a worker's own need not be: for programs run as nobody. Its
    path is short: for browsers."""
    path = launch.temporary_folder("untrod-stage-", short_root())
    path.chmod(0o755)
    return path


def short_root() -> Path:
    """Where temporary files usually go, if that is short enough: the path of a socket cannot be long."""
    usual = Path(tempfile.gettempdir())
    return _SHORT if len(str(usual)) > _LONGEST and _SHORT.is_dir() else usual


def leave_stage(path: Path) -> None:
    remove_tree(path)
    launch.keep_after_us(path)


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
