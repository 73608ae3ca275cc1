"""What counts as a different test case: the characteristics of `untrod inputs`, for Hypothesis tests.

- `value`: the values that were drawn (see below);
- `choices`: the choices that drew them;
- `shape`: the strategies that asked, in order and nested, whatever they were answered;
- `trace`: the path through the project's code (see `footprint`), drawing excluded;
- a function of the drawn arguments, called with those that it names.

A test case to which the chosen one does not apply is keyed by value, and `complaint` says why.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable
from hashlib import blake2b
from typing import Any, TypeAlias

from untrod.core.vocabulary import digest
from untrod.engines.inputs.judge import Footprint, hashable, stable_digest

Different: TypeAlias = str | Callable[..., Any]


class CaseCharacteristic:
    """One per run of a test. `begin`, then the arguments, then the test, then `key`."""

    def __init__(self, by: Different, footprint: Footprint) -> None:
        self.footprint = footprint
        self.complaint: str | None = None
        self._by = by
        self._function_key: str | None = None
        self._traced = False

    @property
    def by_trace(self) -> bool:
        return self._by == "trace"

    @property
    def by_function(self) -> bool:
        return callable(self._by)

    def begin(self, wide: bool = False) -> None:
        """A new test case; `wide`, when installed packages should be traced, too."""
        self._function_key = None
        self._traced = False
        self.footprint.clear()
        if self.by_trace or wide:
            self._traced = self.footprint.start(wide)
            if self.by_trace and not self._traced:
                self.complaint = "a debugger or coverage tool traces already: `trace` falls back to value"

    def arguments(self, drawn: dict[str, Any]) -> None:
        """All arguments are drawn; the test has not been called with them, and could not change them."""
        if callable(self._by) and self._function_key is None:
            try:
                self._function_key = stable_digest(hashable(_call(self._by, drawn)))
            except Exception as error:  # the user's function: its failure is not the test's
                name = getattr(self._by, "__name__", "the function")
                self.complaint = f"{name} cannot tell inputs apart: {error!r}; the value does instead"

    def end(self) -> None:
        self.footprint.stop()

    def key(self, data: Any) -> Hashable:
        """The key of the test case that has ended; None: it is keyed by value. `data` is Hypothesis's
        record of it."""
        if callable(self._by):
            return self._function_key
        if self.by_trace:
            return self.footprint.key() if self._traced else None
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
    """`function`, called with those of the arguments that it names; with all if it takes any name."""
    parameters = inspect.signature(function).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return function(**drawn)
    missing = [p.name for p in parameters if p.name not in drawn and p.default is p.empty]
    if missing:
        raise TypeError(f"it asks for {', '.join(missing)}; the test draws {', '.join(drawn) or 'nothing'}")
    return function(**{p.name: drawn[p.name] for p in parameters if p.name in drawn})


# -- by value --------------------------------------------------------------------------------------------
#
# The value of an argument is its repr, taken the moment it was drawn, before the test could change it.
# Where a repr says nothing (`<Node object at 0x7f..>`) or not everything (arrays print with gaps), the
# answers that made it stand in: finer than the value, and never confusing two different ones.


MISSING = object()
"""In place of a value: there is none."""

_GAPPY = ("numpy", "pandas", "torch")


class SeenValues:
    """The keys of the test cases so far; bounded, and begun anew when full."""

    def __init__(self, max_keys: int = 1_000_000) -> None:
        self._seen: set[Hashable] = set()
        self._max_keys = max_keys

    def key(self, texts: list[str | None], answers: list[Any]) -> Hashable:
        """A short digest, the same for equal inputs in every process. `texts` come from `distinct_text`."""
        shown = repr(answers) if None in texts or not texts else "\x00".join(map(str, texts))
        return blake2b(shown.encode("utf-8", "backslashreplace"), digest_size=12).hexdigest()

    def knows(self, key: Hashable) -> bool:
        return key in self._seen

    def add(self, key: Hashable) -> bool:
        """True when `key` was never seen."""
        if key in self._seen:
            return False
        if len(self._seen) >= self._max_keys:
            self._seen.clear()
        self._seen.add(key)
        return True


def distinct_text(value: Any) -> str | None:
    """A text that only values equal to `value` have, or None."""
    if value is MISSING or type(value).__module__.partition(".")[0] in _GAPPY:
        return None
    try:
        text = repr(value)
    except Exception:  # from a `__repr__` of the user's: no finding of this test
        return None
    return None if " at 0x" in text else text
