"""Which symbolic executor serves a subject, and what is said when none does: the hunt then stays concrete."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from untrod.core.errors import UntrodError
from untrod.engines.worst.row import Row
from untrod.symbolic.routing import RoutedExecutor


class Executors:
    """Makes one for each size. `told` says which engine walks the paths, and why."""

    def __init__(self) -> None:
        self._newest: RoutedExecutor | None = None
        self._refusal = ""

    def __call__(self, function: Callable[..., Any], row: Row) -> RoutedExecutor | None:
        try:
            self._newest = RoutedExecutor(function, row.shape)
        except UntrodError as error:
            self._newest, self._refusal = None, f"none: {error}"
        return self._newest

    @property
    def told(self) -> str:
        if self._newest is None:
            return self._refusal
        return f"{self._newest.route.engine}: {self._newest.route.reason}"
