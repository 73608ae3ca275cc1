"""Which line came after which, while the target runs.

The events are those of coverage.py's own tracer, and so are the arcs: (line, next line), with minus the
function's first line on entering and on leaving. A test compares the two. Ours is here because an engine
needs the arcs of each single run, thousands of times a second, and nothing of the rest.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable, Iterable
from types import CodeType, FrameType
from typing import Any

_RESUME = dis.opmap["RESUME"]
LineArc = tuple[int, int]


class Tracer:
    """`with tracer:` fills `arcs`, by file. `files` are the `co_filename`s that count.

    Code that sets a trace function of its own, or runs threads, is seen only in part.
    """

    def __init__(self, files: Iterable[str]) -> None:
        self.arcs: dict[str, set[LineArc]] = {file: set() for file in files}
        self._codes: dict[CodeType, bytes] = {}
        self._before: Callable[..., Any] | None = None

    def __enter__(self) -> None:
        for arcs in self.arcs.values():
            arcs.clear()
        self._before = sys.gettrace()
        sys.settrace(self._enter)

    def __exit__(self, *exception: object) -> None:
        sys.settrace(self._before)

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Callable[..., Any] | None:
        code = frame.f_code
        found = self.arcs.get(code.co_filename)
        if found is None:
            return None
        bytecode = self._codes.get(code)
        if bytecode is None:
            bytecode = self._codes[code] = code.co_code  # a copy at each access
        first = -code.co_firstlineno
        resumed = bytecode[frame.f_lasti] == _RESUME and bytecode[frame.f_lasti + 1]
        last = frame.f_lineno if resumed else first
        add = found.add

        def local(frame: FrameType, event: str, argument: Any) -> Callable[..., Any]:
            nonlocal last
            if event == "line":
                line = frame.f_lineno
                add((last, line))
                last = line
            elif event == "return":
                after = frame.f_lasti + 2
                if after >= len(bytecode) or bytecode[after] != _RESUME:  # else it is a yield
                    add((last, first))
            return local

        return local
