"""From Hypothesis's spans to the context of a choice.

Every strategy that is drawn from opens a span. A span becomes a level of nesting, with three corrections:

- a span that answered one thing and nothing else (an integer, a sampled element) is no level at all: when
  it closes, its answer belongs to the level around it;
- the span around each element of a collection is transparent, so that a list is one level with its
  elements side by side;
- a span that closes with more than one answer leaves only its first one, the *head*, to stand for it among
  its siblings (the tag of an XML element, the key of a dictionary entry).

A choice point is named by the strategy that asks, by the strategy around it, and by the place in it: in a
`@composite` function the very call of `draw`, elsewhere the ordinal.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable
from types import CodeType
from typing import Any

from hypothesis.internal.conjecture.utils import ONE_FROM_MANY_LABEL

from untrod.core.vocabulary import Context, Frame, digest
from untrod.engines.inputs.backend.characteristic import MISSING, distinct_text

_MAX_ORDINAL = 6
ELEMENT = -1  # the place of every element of a collection: which one it is does not name it


class Span(Frame):
    """A strategy that is being drawn from."""

    __slots__ = ("argument", "by_call", "children", "heads", "key", "name", "nested", "outer", "start")

    def __init__(
        self, name: str, place: int, outer: Span | None = None, start: int = 0, by_call: bool = False
    ) -> None:
        self.entered_from = place
        self.answers: list[Any] = []
        self.memo = None
        self.heads: list[Any] = []
        self.name = name
        self.key = (name, place, "" if outer is None else outer.name)
        self.outer = outer
        self.argument: int = place if outer is None or outer.outer is None else outer.argument
        self.start = start  # how much had been answered when it opened
        self.children = 0
        self.nested = False  # it holds more than its own answers
        self.by_call = by_call


class SpanContext:
    """The context of the running test case, kept up to date by the provider's span hooks."""

    def __init__(self, names: StrategyNames) -> None:
        self.context = Context()
        self.texts: list[str | None] = []  # of the arguments and interactive draws, by `distinct_text`
        self.on_arguments: Callable[[dict[str, Any]], None] | None = None
        self._arguments: dict[str, Any] = {}
        self._names = names
        self._opened: list[bool] = []
        self.reset()

    def reset(self) -> None:
        """A new test case. Whatever the last one left open is gone."""
        self.context.answers.clear()
        self.texts.clear()
        self._arguments.clear()
        self._opened.clear()
        self.top = Span("", 0)
        self.context.frames[:] = [self.top]

    def open(self, label: int) -> None:
        """Called two frames below `ConjectureData.start_span`."""
        if label == ONE_FROM_MANY_LABEL:
            self._opened.append(False)
            return
        frames = self.context.frames
        parent = frames[-1]
        assert isinstance(parent, Span)
        name, by_call = self._names.of(label)
        if self._opened and not self._opened[-1]:
            place = ELEMENT
        elif parent.by_call:
            frame = sys._getframe(4)
            place = frame.f_lasti
            if (parent.name, place) not in self._names.calls:
                self._names.calls[parent.name, place] = frame.f_code
        else:
            place = min(parent.children, _MAX_ORDINAL)
        parent.children += 1
        frames.append(Span(name, place, parent, len(self.context.answers), by_call))
        self._opened.append(True)

    def close(self, discard: bool) -> None:
        if not self._opened:
            return  # the outermost span opened before this test case began
        if not self._opened.pop():
            return
        frames = self.context.frames
        span, parent = frames.pop(), frames[-1]
        assert isinstance(span, Span)
        assert isinstance(parent, Span)
        answers = self.context.answers
        if discard:
            del answers[span.start :]
            return
        if len(frames) == 1:
            self.texts.append(distinct_text(_drawn_value()))
            if self.on_arguments is not None:
                self._note_argument()
        if len(span.answers) == 1 and not span.nested:
            parent.answers.append(span.answers[0])
        elif len(answers) > span.start:
            parent.heads.append(answers[span.start])
            parent.nested = True

    def note_text(self) -> None:
        """An argument is drawn in a test case whose spans are not followed."""
        self.texts.append(distinct_text(_drawn_value()))

    def _note_argument(self) -> None:
        """Tell `on_arguments` once all arguments of the test are drawn."""
        draw = sys._getframe(4)  # draw > stop_span > span_end > close > here
        caller = draw.f_back
        if caller is None or caller.f_code.co_name != "prep_args_kwargs_from_strategies":
            return
        self._arguments[caller.f_locals["k"]] = draw.f_locals["v"]
        if self.on_arguments is not None and len(self._arguments) == len(caller.f_locals["kwarg_strategies"]):
            self.on_arguments(dict(self._arguments))

    @property
    def between_elements(self) -> bool:
        """The next answer only says whether a collection goes on."""
        return bool(self._opened) and not self._opened[-1]

    def note(self, answer: Hashable) -> None:
        """The innermost span was answered."""
        self.context.frames[-1].answers.append(answer)
        self.context.answers.append(answer)


def _drawn_value() -> Any:
    """The value `ConjectureData.draw` is about to return: taken now, before the test can change it."""
    frame = sys._getframe(4)  # draw > stop_span > span_end > close > here
    return frame.f_locals.get("v", MISSING) if frame.f_code.co_name == "draw" else MISSING


# -- names for labels ------------------------------------------------------------------------------------
#
# A label is a number; for strategies built on functions it depends on Python's hash seed. Learned tables that
# outlive the process need better: on the first sight of a label, the strategy that opened the span is looked
# up in the calling frame and described, as coarsely as the label itself.


_PARTS = ("element_strategy", "mapped_strategy", "filtered_strategy", "wrapped_strategy", "base")


class StrategyNames:
    """The names of labels, and what reports need to know of the strategies behind them."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[str, bool]] = {}
        self.elements: dict[str, tuple[str, ...]] = {}
        self.strategies: dict[str, Any] = {}
        self.calls: dict[tuple[str, int], CodeType] = {}  # by function and offset of the draw

    def of(self, label: int) -> tuple[str, bool]:
        """The name of `label`, and whether the line of a draw is part of its site."""
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
