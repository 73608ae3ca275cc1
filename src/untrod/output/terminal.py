"""What is said on a terminal: printable lines, whatever they tell of. JSON for programs is just printed."""

from __future__ import annotations

import io
import sys
from typing import TextIO

from untrod.core.text import block


def say(text: str, *, to: TextIO | None = None, end: str = "\n", flush: bool = False) -> None:
    """On standard output, or on `to`."""
    print(block(text, None), end=end, file=to, flush=flush)


def say_anything() -> None:
    """Let the standard streams take every character: one that a stream cannot encode is shown escaped."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
