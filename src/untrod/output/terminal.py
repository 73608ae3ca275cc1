"""What is said on a terminal: printable lines, whatever they tell of. JSON for programs is just printed."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

from untrod.core.text import PATH, block, one_line


def say(text: str, *, to: TextIO | None = None, end: str = "\n", flush: bool = False) -> None:
    """On standard output, or on `to`."""
    print(block(text, None), end=end, file=to, flush=flush)


@contextmanager
def notices_said(notices: Sequence[str]) -> Iterator[None]:
    """What a store has to say of itself, once the block has ended or failed: a loss is named only once."""
    try:
        yield
    finally:
        for notice in notices:
            say(f"untrod: {one_line(notice, PATH)}", to=sys.stderr)


def say_anything() -> None:
    """Let the standard streams take every character: one that a stream cannot encode is shown escaped."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
