"""What code under test may bend of its process, and our own code stands on: put back after every run.

A test runs in a process of its own making, where no earlier run has bent anything. So has every run here.
"""

from __future__ import annotations

import builtins
import sys
import warnings
from typing import Any


class Surroundings:
    """As they are when this is made. `restore` works while `builtins` is still mangled."""

    def __init__(self) -> None:
        self._builtins = dict(vars(builtins))
        self._streams = (sys.stdin, sys.stdout, sys.stderr)
        self._depth = sys.getrecursionlimit()
        self._path = list(sys.path)
        self._filters: list[Any] = list(warnings.filters)
        self._live = vars(builtins)
        self._update = self._live.update

    def restore(self) -> bool:
        """Was something bent that a test run would not bear, since nobody puts it back there?"""
        bent = self._live != self._builtins or sys.stdout is None or sys.stderr is None
        if bent:
            self._update(self._builtins)
            for name in self._live.keys() - self._builtins.keys():
                del self._live[name]
        sys.stdin, sys.stdout, sys.stderr = self._streams
        if sys.getrecursionlimit() != self._depth:
            sys.setrecursionlimit(self._depth)
        if sys.path != self._path:
            sys.path[:] = self._path
        if warnings.filters != self._filters:
            warnings.resetwarnings()  # which also tells that they have changed
            warnings.filters[:] = self._filters  # type: ignore[index]
        return bent
