"""How far a rejected input came.

As long as hardly any input is valid, the difference between rejected ones is all there is to learn from. A
check that gives up at the first problem runs further on a better input: it reaches another `assume`, another
line, or another turn of a loop. Lines run outside of drawing are counted, in buckets (one by one up
to 15, then powers of two), and every bucket that no input had reached before is progress.

Watching costs time, so it is done only until a few valid inputs are known, and not at all when a debugger
or a coverage tool is already watching; then the place that rejected has to do.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Hashable
from types import CodeType, FrameType
from typing import Any

import hypothesis

import untrod
from untrod.engines.inputs.backend.spans import SpanContext

_UNWATCHED = tuple(
    os.path.dirname(os.path.abspath(str(path))) + os.sep for path in (hypothesis.__file__, untrod.__file__)
)
_STDLIB = sysconfig.get_path("stdlib") + os.sep
_LIBRARIES = tuple({sysconfig.get_path("purelib") + os.sep, sysconfig.get_path("platlib") + os.sep})


class Progress:
    def __init__(self, spans: SpanContext) -> None:
        self._spans = spans
        self._hits: dict[tuple[CodeType, int], int] = {}
        self._seen: set[Hashable] = set()
        self._watching = False
        self._watched: dict[CodeType, bool] = {}

    def start(self) -> None:
        self._hits.clear()
        if sys.gettrace() is None:
            self._watching = True
            sys.settrace(self._on_call)

    def stop(self) -> None:
        if self._watching:
            self._watching = False
            sys.settrace(None)

    def made(self, error: BaseException | None) -> int:
        """How many things the input that was just rejected reached first."""
        reached: set[Hashable] = {(place, _bucket(count)) for place, count in self._hits.items()}
        location = getattr(error, "location", None)
        if location is not None:
            reached.add(location)
        fresh = reached - self._seen
        self._seen |= fresh
        return len(fresh)

    def _on_call(self, frame: FrameType, event: str, argument: Any) -> Any:
        if self._spans.drawing:
            return None
        code = frame.f_code
        watched = self._watched.get(code)
        if watched is None:
            watched = self._watched[code] = _is_watched(code.co_filename)
        return self._on_line if watched else None

    def _on_line(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            place = (frame.f_code, frame.f_lineno)
            self._hits[place] = self._hits.get(place, 0) + 1
        return self._on_line


def _bucket(count: int) -> int:
    return count if count < 16 else 11 + count.bit_length()


def _is_watched(filename: str) -> bool:
    if filename.startswith(("<frozen", *_UNWATCHED)):
        return False
    return not filename.startswith(_STDLIB) or filename.startswith(_LIBRARIES)
