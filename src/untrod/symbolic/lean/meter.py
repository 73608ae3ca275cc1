"""What one path costs."""

from __future__ import annotations

import time

from untrod.symbolic.lean.memory import Memory
from untrod.symbolic.protocol import PathStats


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
