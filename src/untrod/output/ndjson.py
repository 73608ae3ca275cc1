"""Each event as one line of JSON, for programs that listen."""

from __future__ import annotations

import json
import math
import os
from typing import TextIO

from untrod.core.events import Event, to_json
from untrod.core.vocabulary import Json

LONGEST_STRING = 100_000
"""Longer strings are cut: one hostile message must not fill the listener's memory. Traces hold none."""


class NdjsonListener:
    """Writes and flushes a line per event, in ASCII, so that no locale or stray surrogate can break it.

    When the reader goes away the listener falls silent: the campaign is worth more than its narration.
    `closed` then tells whoever wants to stop early.
    """

    def __init__(self, stream: TextIO) -> None:
        self.closed = False
        self._stream = stream

    def __call__(self, event: Event) -> None:
        if self.closed:
            return
        line = json.dumps(_plain(to_json(event)), allow_nan=False, separators=(",", ":"), default=repr)
        try:
            self._stream.write(line + "\n")
            self._stream.flush()
        except (BrokenPipeError, ValueError):  # ValueError: the stream was closed on our side
            self.closed = True
            _lead_nowhere(self._stream)


def _plain(value: Json) -> Json:
    """Strict JSON: no NaN, no infinities, no endless strings."""
    if isinstance(value, dict):
        return {_bounded(str(key)): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return _bounded(value) if isinstance(value, str) else value


def _bounded(text: str) -> str:
    if len(text) <= LONGEST_STRING:
        return text
    return f"{text[:LONGEST_STRING]}… ({len(text):,} characters)"


def _lead_nowhere(stream: TextIO) -> None:
    """Redirect the stream to /dev/null: the summary, printed later, would meet the broken pipe again."""
    try:
        descriptor = stream.fileno()
    except (OSError, ValueError):
        return
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, descriptor)
    os.close(null)
