"""Which symbolic executor serves a subject, and what is said when none does: the hunt then stays concrete."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any

from untrod.core.errors import UntrodError
from untrod.engines.worst.row import Row
from untrod.symbolic.protocol import SymbolicExecutor


class Executors:
    """Called once per size. `reason` tells which engine was chosen, or why none was."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell

    def __call__(self, function: Callable[..., Any], row: Row) -> SymbolicExecutor | None:
        if importlib.util.find_spec("z3") is None:
            self._tell(
                "Z3 is not installed, so inputs are only changed and run: pip install 'untrod[symbolic]'"
            )
            return None
        from untrod.symbolic.lean.executor import LeanExecutor

        try:
            return LeanExecutor(function, row.shape)
        except UntrodError as error:
            self._tell(f"no symbolic paths: {error.message}")
            return None
