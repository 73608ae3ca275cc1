"""Folders that a command writes to: where the person said, or in the project."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.core.text import PATH, one_line


def to_write(project: Path, place: Path, flag: str) -> Path:
    """`place` in `project`. Raises UntrodError where that is a link, anybody's, that leads out of it."""
    path = Path(os.path.normpath(project / place))
    if _is_endless(path):
        raise UntrodError(
            f"{one_line(str(place), PATH)} is a link that leads in a circle", f"name another with {flag}"
        )
    real, root = Path(os.path.realpath(path)), Path(os.path.realpath(project))
    if path.is_relative_to(project) and not real.is_relative_to(root):
        shown = one_line(str(real), PATH)
        raise UntrodError(
            f"{one_line(str(place), PATH)} is a link that leads out of the project, to {shown}",
            f"if that is meant, name it: {flag} {shown}",
        )
    return project / place


def _is_endless(path: Path) -> bool:
    try:
        os.stat(path)
    except OSError as error:
        return error.errno == errno.ELOOP
    return False
