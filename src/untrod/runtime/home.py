"""What a run has touched of the folder that it works in: a test of it needs such a folder, too.

Two sources: the names that the guard has heard (`guard.touched`), and what lies in the scratch folder
afterwards. What a run has left there is removed, so that the next one finds the folder as the first did.
"""

from __future__ import annotations

import os
from pathlib import Path

from untrod.core.vocabulary import Json
from untrod.runtime import guard
from untrod.runtime.scratch import remove_tree

_MOST = 10  # names that are told
_LONGEST = 200


class Home:
    """`scratch` as it is now, with what the job itself has put there."""

    def __init__(self, scratch: str) -> None:
        self._scratch = Path(scratch)
        self._temporary = self._scratch / "tmp"
        with guard.paused():
            self._own = frozenset(os.listdir(self._scratch)) | {self._temporary.name}

    def tidy(self) -> dict[str, Json]:
        """What was touched since the last call: by a relative name, and what was left in the folder for
        temporary files. Both are emptied of it."""
        with guard.paused():
            left = [name for name in _names(self._scratch) if name not in self._own]
            temporary = _names(self._temporary)
            for path in (
                *(self._scratch / name for name in left),
                *(self._temporary / name for name in temporary),
            ):
                _remove(path)
        named = guard.touched()
        return {"here": _told((*named, *left)), "temporary": _told(temporary)}


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        folder.mkdir(parents=True, exist_ok=True)  # it has removed that as well
        return []


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        remove_tree(path)
    else:
        path.unlink(missing_ok=True)


def _told(names: tuple[str, ...] | list[str]) -> list[str]:
    return [name.encode("utf-8", "backslashreplace").decode()[:_LONGEST] for name in dict.fromkeys(names)][
        :_MOST
    ]
