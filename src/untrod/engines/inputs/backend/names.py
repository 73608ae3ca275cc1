"""Names for span labels that mean the same in every process, and to a person.

A label is a number; for strategies built on functions it depends on Python's hash seed. Learned tables that
outlive the process need better: on the first sight of a label, the strategy that opened the span is looked
up in the calling frame and described, as coarsely as the label itself.
"""

from __future__ import annotations

import sys
from types import CodeType
from typing import Any

from untrod.core.vocabulary import digest

_PARTS = ("element_strategy", "mapped_strategy", "filtered_strategy", "wrapped_strategy", "base")


class Names:
    def __init__(self) -> None:
        self._known: dict[int, tuple[str, bool]] = {}
        self.elements: dict[str, tuple[str, ...]] = {}
        self.strategies: dict[str, Any] = {}
        self.calls: dict[tuple[str, int], CodeType] = {}  # by function and offset: a comprehension is its own

    def of(self, label: int) -> tuple[str, bool]:
        """The name of `label`, and whether its draws are told apart by the line that makes them."""
        known = self._known.get(label)
        if known is None:
            strategy = _strategy_of(sys._getframe(4))
            name = describe(strategy) if strategy is not None else f"span-{label:x}"
            known = self._known[label] = (name, type(strategy).__name__ == "CompositeStrategy")
            self.strategies.setdefault(name, strategy)
            self._keep_elements(name, strategy)
        return known

    def _keep_elements(self, name: str, strategy: Any) -> None:
        """What the options of `sampled_from` and `one_of` look like, for reports."""
        elements = getattr(strategy, "elements", None)
        if elements is None:
            elements = getattr(strategy, "original_strategies", None)
        if isinstance(elements, tuple | list | range) and len(elements) <= 256:
            self.elements[name] = tuple(shown(element) for element in elements)


def describe(strategy: Any, depth: int = 3) -> str:
    """`lists(sampled_from#1a2b3c)`: class, parts, and for functions their qualified name."""
    kind = type(strategy).__name__.removesuffix("Strategy")
    if kind == "Composite":
        return str(getattr(strategy.definition, "__qualname__", "composite"))
    if kind == "SampledFrom":
        text = ",".join(shown(element) for element in list(strategy.elements)[:256])
        return f"sampled_from#{digest(text)[:6]}"
    if kind == "Lazy" or depth == 0:
        return kind.lower()
    parts = [describe(part, depth - 1) for part in _parts(strategy)]
    target = getattr(strategy, "target", None)
    if target is not None:
        kind = str(getattr(target, "__qualname__", kind))
    return f"{kind}({','.join(parts)})" if parts else kind


def _parts(strategy: Any) -> list[Any]:
    for name in _PARTS:
        part = strategy.__dict__.get(name)
        if part is not None:
            return [part]
    several = strategy.__dict__.get("element_strategies") or strategy.__dict__.get("original_strategies")
    return list(several)[:8] if several else []


def shown(element: Any) -> str:
    """An element as reports show it."""
    text = repr(element)
    return type(element).__name__ if " at 0x" in text else text[:40]


def _strategy_of(frame: Any) -> Any:
    """The strategy whose `draw` opens a span: `ConjectureData.draw` keeps it in a local variable."""
    if frame.f_code.co_name != "draw":
        return None
    return frame.f_locals.get("unwrapped")
