"""The side effects of one run of the target: a test that repeats the run would have them, too, and no guard.

Files in the working folder: those that the guard has seen by a relative name (`guard.touched`), and those
that lie in the scratch folder after the run. They are removed, so that the next run finds the folder as this
one did. And what goes on when the run is over: exit handlers, threads.
"""

from __future__ import annotations

import _thread
import atexit
import os
from pathlib import Path

from untrod.core.vocabulary import Json
from untrod.runtime import guard
from untrod.runtime.removal import remove_tree

_MOST = 10  # names that are told
_LONGEST = 200
_handlers = atexit._ncallbacks  # bound: a target may replace those in their modules
_threads = _thread._count


class SideEffects:
    """Compares the scratch folder and the process before and after a run."""

    def __init__(self, scratch: str) -> None:
        self._folders = Path(scratch), Path(scratch) / "tmp"

    def begin(self) -> None:
        """A run is about to begin: what lies in the folder now is not of this run."""
        with guard.paused():
            self._before = [frozenset(_names(folder)) for folder in self._folders]
        self._handlers, self._threads, self._foreign = _handlers(), _threads(), guard.foreign_calls()
        guard.touched()

    def collect(self) -> dict[str, Json]:
        """What the run has touched in the working folder and among temporary files, and what outlives it. The
        files are removed."""
        named, outlives = guard.touched(), []
        if _handlers() > self._handlers:
            outlives.append("a handler for the end of the process")
        if _threads() > self._threads:
            outlives.append("a thread that goes on")
        if guard.foreign_calls() > self._foreign:
            outlives.append("what functions of C have done, which nobody sees")
        with guard.paused():
            here, temporary = (
                _emptied(folder, before) for folder, before in zip(self._folders, self._before, strict=True)
            )
        return {"here": _told([*named, *here]), "temporary": _told(temporary), "outlives": outlives}


def _emptied(folder: Path, before: frozenset[str]) -> list[str]:
    """Removes what is new in `folder`; the names of it."""
    found = [name for name in _names(folder) if name not in before]
    for name in found:
        path = folder / name
        if path.is_dir() and not path.is_symlink():
            remove_tree(path)
        else:
            path.unlink(missing_ok=True)
    return found


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        folder.mkdir(parents=True, exist_ok=True)  # it has removed that as well
        return []


def _told(names: list[str]) -> list[str]:
    some = list(dict.fromkeys(names))[:_MOST]
    return [name.encode("utf-8", "backslashreplace").decode()[:_LONGEST] for name in some]
