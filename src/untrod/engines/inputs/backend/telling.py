"""What counts as a different test case: the characteristics of `untrod inputs`, for Hypothesis tests.

- `value`: what was drawn (see `identity`);
- `choices`: the choices that drew it;
- `shape`: the strategies that asked, in order and nested, whatever they were answered;
- `trace`: the path through the project's code (see `footprint`), drawing excluded;
- a function: what it makes of the drawn arguments, of which it names those it wants.

Where one of them has nothing to say, the value serves, and `complaint` says why.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable
from typing import Any, TypeAlias

from untrod.core.vocabulary import digest
from untrod.engines.inputs.footprint import Footprint
from untrod.engines.inputs.target import hashable, stable_digest

By: TypeAlias = str | Callable[..., Any]


class Telling:
    """One per run of a test. `begin`, then the arguments, then the test, then `key`."""

    def __init__(self, by: By, footprint: Footprint) -> None:
        self.footprint = footprint
        self.complaint: str | None = None
        self._by = by
        self._told: str | None = None
        self._watched = False

    @property
    def by_trace(self) -> bool:
        return self._by == "trace"

    @property
    def by_function(self) -> bool:
        return callable(self._by)

    def begin(self, wide: bool = False) -> None:
        """A new test case; `wide`, when more than the project's own code should be watched."""
        self._told = None
        self._watched = False
        self.footprint.clear()
        if self.by_trace or wide:
            self._watched = self.footprint.start(wide)
            if self.by_trace and not self._watched:
                self.complaint = "a debugger or coverage tool traces already: `trace` falls back to value"

    def arguments(self, drawn: dict[str, Any]) -> None:
        """All arguments are drawn, and the test has not yet had a chance to change them."""
        if callable(self._by) and self._told is None:
            try:
                self._told = stable_digest(hashable(_call(self._by, drawn)))
            except Exception as error:  # the user's function: its failure is not the test's
                name = getattr(self._by, "__name__", "the function")
                self.complaint = f"{name} cannot tell inputs apart: {error!r}; the value does instead"

    def end(self) -> None:
        self.footprint.stop()

    def key(self, data: Any) -> Hashable:
        """None: by value. `data` is Hypothesis's record of the test case, or None."""
        if callable(self._by):
            return self._told
        if self.by_trace:
            return self.footprint.key() if self._watched else None
        if data is None or data.max_choices == 0 or self._by == "value":  # without choices: an `@example`
            return None
        if self._by == "choices":
            return digest(repr([node.value for node in data.nodes]))
        return digest(_shape(data))


def _shape(data: Any) -> str:
    """The labels of the strategies as they opened and closed, and the kinds of the choices between them."""
    kinds = [node.type for node in data.nodes]
    record = getattr(data, "_ConjectureData__span_record", None)
    return repr((kinds, record and (list(record.trail), record.labels)))


def _call(function: Callable[..., Any], drawn: dict[str, Any]) -> Any:
    """With the arguments it names; with all of them if it takes any."""
    parameters = inspect.signature(function).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return function(**drawn)
    missing = [p.name for p in parameters if p.name not in drawn and p.default is p.empty]
    if missing:
        raise TypeError(f"it asks for {', '.join(missing)}; the test draws {', '.join(drawn) or 'nothing'}")
    return function(**{p.name: drawn[p.name] for p in parameters if p.name in drawn})
