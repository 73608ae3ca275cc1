"""A folder for the browser's profile and its temporary files, with a short name, and with nothing left in it.

Chromium puts a socket there, and the path of a socket has at most 107 bytes, of which it needs 45 for itself.
A worker's own folder for temporary files lies deep in the project, so it has a second one (`scratch.stage`).
Whoever kills untrod, or the worker, leaves nothing behind: see `launch`.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from untrod.runtime import launch
from untrod.runtime.processes import STAGE
from untrod.runtime.removal import remove_tree
from untrod.runtime.scratch import short_root


def build_nest() -> Path:
    stage = os.environ.get(STAGE)
    if not stage:
        return launch.temporary_folder("untrod-web-", short_root())
    nest = Path(stage) / f"web-{secrets.token_hex(4)}"
    nest.mkdir(mode=0o700)
    return nest


@contextmanager
def nest() -> Iterator[Path]:
    folder = build_nest()
    try:
        yield folder
    finally:
        leave_nest(folder)


def leave_nest(nest: Path) -> None:
    remove_tree(nest)
    launch.keep_after_us(nest)
