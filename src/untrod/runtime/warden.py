"""The process that outlives untrod by a moment: when untrod is gone, it kills what untrod had started.

It waits for the end of its standard input, whose other end only untrod has. Line by line it is told there
which paths are to be removed after a sudden end ({"remove": path}), and which no more ({"keep": path}). It
runs without `site` and imports little, so that it is there at once and small.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys

from untrod.runtime.processes import kill_in_tree

_LOOK = 1.0  # seconds between two looks at our parent: a fork of it may hold the pipe open


def main(tree: str, parent: int) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    paths = _listen(parent)
    kill_in_tree(tree)
    for path in paths:
        _remove(path)


def _listen(parent: int) -> list[str]:
    """Until untrod is gone; the paths that it has left to us."""
    descriptor, rest, paths = sys.stdin.fileno(), b"", dict[str, None]()
    while os.getppid() == parent:
        if not select.select([descriptor], [], [], _LOOK)[0]:
            continue
        data = os.read(descriptor, 65536)
        if not data:
            break
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            message = json.loads(line)
            if "remove" in message:
                paths[message["remove"]] = None
            else:
                paths.pop(message["keep"], None)
    return list(paths)


def _remove(path: str) -> None:
    from pathlib import Path

    from untrod.runtime.removal import remove_tree

    if os.path.isdir(path) and not os.path.islink(path):
        remove_tree(Path(path))
    else:
        try:
            os.unlink(path)
        except OSError:
            pass  # gone already
