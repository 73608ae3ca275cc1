"""A temporary folder for the browser's profile and other files, with a short name, removed at the end.

Chromium puts a socket there, and the path of a socket has at most 107 bytes, of which it needs 45 for itself.
A worker's own folder for temporary files lies deep in the project, so it has a second one (`scratch.stage`).
Nothing is left behind when untrod or the worker is killed: see `launch`.
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


def make_tmpdir() -> Path:
    stage = os.environ.get(STAGE)
    if not stage:
        return launch.temporary_folder("untrod-web-", short_root())
    tmpdir = Path(stage) / f"web-{secrets.token_hex(4)}"
    tmpdir.mkdir(mode=0o700)
    return tmpdir


@contextmanager
def tmpdir() -> Iterator[Path]:
    folder = make_tmpdir()
    try:
        yield folder
    finally:
        remove_tmpdir(folder)


def remove_tmpdir(tmpdir: Path) -> None:
    remove_tree(tmpdir)
    launch.keep_after_us(tmpdir)
