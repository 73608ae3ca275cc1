"""Where a path really leads, found out without trusting anything a target could have replaced.

`os.path.realpath` and `os.fsdecode` are Python code that looks up builtins when called; the guard calls
these functions when the builtins may be mangled. So all they need is bound here, on import.
"""

from __future__ import annotations

import fcntl
from builtins import OSError, bytes, isinstance  # noqa: UP029 - see above
from os import fspath, getcwd, readlink
from typing import Any


def absolute(path: Any, folder: int) -> str:
    """`path` from the root on, seen from the open folder `folder`, or from where we are if that is -1."""
    text = as_text(path)
    if text.startswith("/"):
        return text
    base = getcwd() if folder in (-1, None) else folder_of(folder)
    return f"{base}/{text}"


def as_text(path: Any) -> str:
    """`os.fsdecode` needs builtins that may be mangled by now."""
    path = fspath(path)
    return path.decode("utf-8", "surrogateescape") if isinstance(path, bytes) else path


def resolve(path: str, follow: bool) -> str:
    """`path` without `.`, `..` and symbolic links; the last part is resolved only to `follow`."""
    todo = [part for part in path.split("/") if part][::-1]
    done: list[str] = []
    links = 40
    while todo:
        part = todo.pop()
        if part == ".":
            continue
        if part == "..":
            done = done[:-1]
            continue
        here = "/" + "/".join([*done, part])
        try:
            link = readlink(here) if (follow or todo) else None
        except OSError:
            link = None  # not a link, or not there
        if link is None:
            done.append(part)
            continue
        links -= 1
        if not links:
            raise OSError("too many symbolic links")
        if link.startswith("/"):
            done = []
        todo += [step for step in link.split("/") if step][::-1]
    return "/" + "/".join(done)


_GET_PATH = getattr(fcntl, "F_GETPATH", None)  # macOS


def folder_of(descriptor: int) -> str:
    """Where an open descriptor leads."""
    if _GET_PATH is not None:
        return as_text(fcntl.fcntl(descriptor, _GET_PATH, b"\0" * 1024).rstrip(b"\0"))
    return readlink(f"/proc/self/fd/{descriptor}")
