"""What one path costs: CPU time, solver units, and bytecodes of the code under test."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from os.path import dirname, join
from types import FrameType
from typing import Any

from untrod.symbolic.lean.memory import Memory
from untrod.symbolic.protocol import PathStats

_ENGINE = dirname(__file__)
_DOORS = (join(_ENGINE, "executor.py"), join(_ENGINE, "helpers.py"))
"""From here the engine calls the code under test."""


class Meter:
    """Starts with the path."""

    def __init__(self, memory: Memory) -> None:
        self.calls = memory.solver.calls
        self._memory = memory
        self._started = time.process_time()

    def stats(self, hits: int = 0) -> PathStats:
        """Up to here. To be asked once: the solver's units are counted from one path to the next."""
        memory = self._memory
        calls, spent = memory.solver.calls - self.calls, 0
        if calls:
            units = memory.solver.units()
            spent, memory.units = units - memory.units, units
        lost, memory.outages = memory.solver.outages - memory.outages, memory.solver.outages
        return PathStats(calls, spent, hits, time.process_time() - self._started, lost)

    def per_call(self, stats: PathStats) -> float:
        return stats.solver_units / max(1, stats.solver_calls)


@contextmanager
def counted(memory: Memory) -> Iterator[None]:
    """Adds every bytecode of the code under test to `memory.instructions`, for searchers that need to know:
    tracing makes a path far slower."""

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
