"""Counts the bytecodes of the code under test, for searchers that care: tracing makes a path far slower."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from os.path import dirname, join
from types import FrameType
from typing import Any

from untrod.symbolic.lean.memory import Memory

_ENGINE = dirname(__file__)
_DOORS = (join(_ENGINE, "executor.py"), join(_ENGINE, "helpers.py"))
"""From here the engine calls the code under test."""


@contextmanager
def counted(memory: Memory) -> Iterator[None]:
    """Adds every bytecode of the code under test to `memory.instructions`."""

    def opcode(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "opcode":
            memory.instructions += 1
        return opcode

    def call(frame: FrameType, event: str, argument: Any) -> Any:
        caller = frame.f_back
        if frame.f_code.co_filename.startswith(_ENGINE) or caller is None:
            return None
        if caller.f_trace is None and caller.f_code.co_filename not in _DOORS:
            return None  # what the engine calls for itself: Z3, the policy
        frame.f_trace_lines = False
        frame.f_trace_opcodes = True
        return opcode

    before = sys.gettrace()
    sys.settrace(call)
    try:
        yield
    finally:
        sys.settrace(before)
