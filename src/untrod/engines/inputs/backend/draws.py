"""The draws of a backend: as choices of the learner while it is asked, from default distributions otherwise.

Small domains are learned value by value, texts over small alphabets character by character, and everything
else by arms (see `arms`). Forced draws never reach a provider.

A *script* is a sequence of values that is to be drawn: a corpus entry, a saved failure. It is played as far
as it fits, and the learner observes. Scripts hold every choice of a test case, also the forced ones that
never reach a provider, so the place in a script is how many choices Hypothesis has noted so far. A *rerun*
is the same as numbers of options: a valid test case as the learner remembers it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeAlias, cast

from hypothesis.control import _current_build_context
from hypothesis.internal.conjecture.choice import choice_from_index, choice_permitted
from hypothesis.internal.conjecture.providers import COLLECTION_DEFAULT_MAX_SIZE, PrimitiveProvider
from hypothesis.internal.intervalsets import IntervalSet

from untrod.core.protocols import Learner, observer
from untrod.core.vocabulary import Choice
from untrod.engines.inputs.backend.arms import (
    Arms,
    DefaultDraws,
    bytes_arms,
    continue_probability,
    float_arms,
    integer_arms,
    remember,
    string_arms,
)
from untrod.engines.inputs.backend.bootstrap import RejectingConstants
from untrod.engines.inputs.backend.characteristic import MISSING
from untrod.engines.inputs.backend.spans import Span, SpanContext, StrategyNames

Drawn: TypeAlias = tuple[tuple[Any, ...], Any, Span]
"""A site, the value drawn there (of sampled elements, the number), and the span it was drawn in."""

SIMPLEST = (None,)
"""A script of any length: the simplest value of every draw. Hypothesis begins each test with it, out of a
backend's sight, and where nearly everything is rejected it is often the only valid input for a long time."""

_KINDS = {bool: "boolean", int: "integer", float: "float", str: "string", bytes: "bytes"}


class Chooser:
    """Puts the draws of one test function before the learner as choices, test case after test case."""

    def __init__(self, spans: SpanContext, rng: Random, names: StrategyNames) -> None:
        self.learner: Any = None
        self._observe: Callable[[Choice, int], object] = lambda choice, option: None
        self.constants = RejectingConstants()
        self.answers: list[int] = []  # of the running test case: the numbers of the options
        self.drawn: list[Drawn] = []  # and their values, for reports
        self._spans = spans
        self._rng = rng
        self._names = names
        self._choice = Choice(spans.context)
        self._script: Sequence[Any] = ()
        self._rerun: Sequence[int] = ()
        self._learned: dict[Any, list[Any]] = {}
        self._wide: list[tuple[Any, Any]] = []

    def use(self, learner: Learner) -> None:
        """Let `learner` decide from here on."""
        self.learner = learner
        self._observe = observer(learner)

    def begin(self, script: Sequence[Any] = (), rerun: Sequence[int] = ()) -> None:
        """A new test case, which plays `script` or `rerun` first."""
        self.answers.clear()
        self.drawn.clear()
        self._wide.clear()
        self._script = script
        self._rerun = rerun

    def remember_values(self) -> None:
        """The test case was valid and new: its values from large domains go into the learned slots."""
        for pool, value in self._wide:
            remember(self._learned.setdefault(pool, []), value, self._rng)

    def pick(
        self,
        kind: str,
        options: int,
        weights: Any,
        *,
        open_options: int = 0,
        note: bool = True,
        wanted: int | None = None,
        low: int = 0,
    ) -> int:
        """The number of an option. Its value in the test is that number plus `low`."""
        choice = self._choice
        span = choice.context.frames[-1]
        assert isinstance(span, Span)
        choice.site = (kind, *span.key)
        choice.options = options
        if weights is None and self.constants.wanted:
            weights = self._preferring_constants(span.name, options)
        choice.weights = weights
        choice.open = open_options
        option: int
        if self._rerun:
            wanted = self._rerun_option(options)
        if wanted is None:
            option = self.learner.decide(choice)
        else:
            option = wanted
            self._observe(choice, option)
        self.answers.append(option)
        if note and not (kind == "bool" and self._spans.between_elements):
            self._spans.note(option)
            self.drawn.append((choice.site, low + option, span))
        return option

    def _preferring_constants(self, name: str, options: int) -> list[float] | None:
        elements = self._names.elements.get(name, ())
        return self.constants.preference(elements) if len(elements) == options else None

    def _rerun_option(self, options: int) -> int | None:
        """The next option of the rerun. A rerun that does not fit is dropped."""
        at = len(self.answers)
        if at < len(self._rerun) and self._rerun[at] < options:
            return self._rerun[at]
        self._rerun = ()
        return None

    def pull(self, kind: str, arms: Arms[Any], wanted: Any) -> Any:
        """A value from a large domain; `wanted` is the script's value, or MISSING."""
        scripted = None
        if wanted is not MISSING:
            scripted = arms.values.index(wanted) if wanted in arms.values else arms.options - 1
        option = self.pick(kind, arms.options, arms.weights, open_options=arms.open, wanted=scripted)
        pool = (self._choice.site, id(arms))  # one site may draw from several ranges
        value = wanted
        if wanted is MISSING:
            value = arms.draw(option, self._learned.get(pool, []), self._rng)
        if option < len(arms.values):
            self.drawn[-1] = (*self.drawn[-1][:1], value, *self.drawn[-1][2:])
        else:
            self.drawn.pop()  # one of very many
            self._wide.append((pool, value))
            self._spans.context.answers[-1] = value
        return value

    def spell(self, letters: list[str], min_size: int, max_size: int, script: str | None) -> str:
        """A text over a small alphabet, letter by letter, as a level of its own."""
        go_on = continue_probability(min_size, max_size)
        context = self._spans.context
        parent = context.frames[-1]
        assert isinstance(parent, Span)
        text = Span("text", 0, parent, len(context.answers))
        context.frames.append(text)
        chosen = ""
        while len(chosen) < max_size:
            more = char = None
            if script is not None:
                more = int(len(chosen) < len(script))
                char = letters.index(script[len(chosen)]) if more else None
            may_stop = len(chosen) >= min_size
            if may_stop and not self.pick("more", 2, (1.0 - go_on, go_on), note=False, wanted=more):
                break
            letter = letters[self.pick("char", len(letters), None, wanted=char)]
            self.drawn[-1] = (*self.drawn[-1][:1], letter, *self.drawn[-1][2:])
            chosen += letter
        context.frames.pop()
        parent.nested = True
        return chosen

    def scripted(self, kind: type, constraints: Any) -> Any:
        """The next choice of the script being played. A script that does not fit is dropped."""
        context = _current_build_context.value
        if not self._script or context is None:
            return MISSING
        if self._script is SIMPLEST:
            return choice_from_index(0, cast(Any, _KINDS[kind]), constraints)
        at = len(context.data._nodes)
        value: Any = self._script[at] if at < len(self._script) else MISSING
        if type(value) is kind and bool(choice_permitted(cast(Any, value), constraints)):
            return value
        self._script = ()
        return MISSING


SMALL = 64
"""Domains up to this size are learned value by value."""


class DrawingProvider(PrimitiveProvider):
    """The five draws that Hypothesis asks a provider for."""

    def __init__(self, names: StrategyNames) -> None:
        super().__init__(None)
        self.names = names
        self.spans = SpanContext(self.names)
        self._rng = Random(0)
        self._default = DefaultDraws(self._rng)
        self._chooser = Chooser(self.spans, self._rng, names)
        self._guided = False  # whether the learner decides in the running test case
        self._arms: dict[Any, Arms[Any]] = {}
        self._letters: dict[IntervalSet, list[str]] = {}

    def draw_boolean(self, p: float = 0.5) -> bool:
        if p <= 0.0:
            return False
        if p >= 1.0:
            return True
        if not self._guided:
            return self._rng.random() < p
        scripted = self._chooser.scripted(bool, {"p": p})
        wanted = None if scripted is MISSING else int(scripted)
        return bool(self._chooser.pick("bool", 2, (1.0 - p, p), wanted=wanted))

    def draw_integer(
        self,
        min_value: int | None = None,
        max_value: int | None = None,
        *,
        weights: dict[int, float] | None = None,
        shrink_towards: int = 0,
    ) -> int:
        constraints: Any = {
            "min_value": min_value,
            "max_value": max_value,
            "weights": weights,
            "shrink_towards": shrink_towards,
        }
        if not self._guided:
            return self._default.draw_integer(**constraints)
        if min_value is not None and max_value is not None and max_value - min_value < SMALL:
            options = max_value - min_value + 1
            if options == 1:
                return min_value
            wanted = self._chooser.scripted(int, constraints)
            wanted = None if wanted is MISSING else wanted - min_value
            preference = None
            if weights is not None:
                rest = (1.0 - sum(weights.values())) / options
                preference = [weights.get(min_value + option, 0.0) + rest for option in range(options)]
            return min_value + self._chooser.pick("int", options, preference, wanted=wanted, low=min_value)
        key = (min_value, max_value, shrink_towards)
        arms = self._arms.get(key)
        if arms is None:
            arms = self._arms[key] = integer_arms(min_value, max_value, shrink_towards)
        return int(self._chooser.pull("wide-int", arms, self._chooser.scripted(int, constraints)))

    def draw_float(
        self,
        *,
        min_value: float = -math.inf,
        max_value: float = math.inf,
        allow_nan: bool = True,
        smallest_nonzero_magnitude: float,
    ) -> float:
        constraints: Any = {
            "min_value": min_value,
            "max_value": max_value,
            "allow_nan": allow_nan,
            "smallest_nonzero_magnitude": smallest_nonzero_magnitude,
        }
        if not self._guided:
            return self._default.draw_float(**constraints)
        signs = (math.copysign(1.0, min_value), math.copysign(1.0, max_value))  # 0.0 == -0.0, but not here
        key = ("float", min_value, max_value, allow_nan, smallest_nonzero_magnitude, signs)
        arms = self._arms.get(key)
        if arms is None:
            arms = self._arms[key] = float_arms(
                min_value,
                max_value,
                lambda value: choice_permitted(value, constraints),
                lambda: self._default.draw_float(**constraints),
            )
        return float(self._chooser.pull("float", arms, self._chooser.scripted(float, constraints)))

    def draw_string(
        self, intervals: IntervalSet, *, min_size: int = 0, max_size: int = COLLECTION_DEFAULT_MAX_SIZE
    ) -> str:
        characters = len(intervals)
        constraints: Any = {"intervals": intervals, "min_size": min_size, "max_size": max_size}
        if not self._guided or characters == 0:
            return self._default.draw_string(intervals, min_size=min_size, max_size=max_size)
        if characters <= SMALL:
            wanted = self._chooser.scripted(str, constraints)
            letters = self._letters.get(intervals)
            if letters is None:
                spelled = (intervals.char_in_shrink_order(index) for index in range(characters))
                letters = self._letters[intervals] = list(spelled)
            return self._chooser.spell(letters, min_size, max_size, None if wanted is MISSING else wanted)
        key = ("text", intervals, min_size, max_size)
        arms = self._arms.get(key)
        if arms is None:
            arms = self._arms[key] = string_arms(intervals, min_size, max_size, self._default)
        return str(self._chooser.pull("text", arms, self._chooser.scripted(str, constraints)))

    def draw_bytes(self, min_size: int = 0, max_size: int = COLLECTION_DEFAULT_MAX_SIZE) -> bytes:
        if not self._guided:
            return self._default.draw_bytes(min_size, max_size)
        key = ("bytes", min_size, max_size)
        arms = self._arms.get(key)
        if arms is None:
            arms = self._arms[key] = bytes_arms(min_size, max_size, self._default)
        wanted = self._chooser.scripted(bytes, {"min_size": min_size, "max_size": max_size})
        value = self._chooser.pull("bytes", arms, wanted)
        assert isinstance(value, bytes)
        return value
