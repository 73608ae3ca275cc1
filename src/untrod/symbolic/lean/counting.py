"""Counts the bytecodes of the code under test, for searchers that care: tracing makes a path far slower."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from os.path import dirname
from types import FrameType
from typing import Any

from untrod.symbolic.lean.memory import Memory

_ENGINE = dirname(__file__)


@contextmanager
def counted(memory: Memory) -> Iterator[None]:
    """Adds every bytecode that is executed outside the engine to `memory.instructions`."""

    def opcode(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "opcode":
            memory.instructions += 1
        return opcode

    def call(frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename.startswith(_ENGINE) or "/z3/" in frame.f_code.co_filename:
            return None
        frame.f_trace_lines = False
        frame.f_trace_opcodes = True
        return opcode

    before = sys.gettrace()
    sys.settrace(call)
    try:
        yield
    finally:
        sys.settrace(before)
