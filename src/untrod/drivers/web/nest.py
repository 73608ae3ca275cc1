"""A folder for the browser's temporary files, with a short name, and with nothing left in it.

Chromium puts a socket there, and the path of a socket has at most 108 bytes, of which it needs 45 for itself.
A worker's own folder for temporary files lies deep in the project. A worker that is killed cannot clear up,
so the next one does.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import tempfile
from pathlib import Path

LONGEST = 30
"""Characters of a folder in which Chromium's socket still has room."""
SHORT = Path("/tmp")

_NAME = re.compile(r"untrod-web-(\d+)-[0-9a-f]{8}")


def build_nest() -> Path:
    """Where temporary files usually go, if that is short enough. Removes what dead processes have left."""
    usual = Path(tempfile.gettempdir())
    folder = SHORT if len(str(usual)) > LONGEST and SHORT.is_dir() else usual
    for left in folder.glob("untrod-web-*"):
        name = _NAME.fullmatch(left.name)
        if name and not _lives(int(name[1])):
            shutil.rmtree(left, ignore_errors=True)
    nest = folder / f"untrod-web-{os.getpid()}-{secrets.token_hex(4)}"
    nest.mkdir(mode=0o700)
    return nest


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # somebody else's
    return True
