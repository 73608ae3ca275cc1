"""Puts draws before the learner as choices, and answers them from a script while one is being played.

A *script* is a sequence of values that somebody wants drawn: a corpus entry, a saved failure. It is played
as far as it fits, and the learner watches. Scripts hold every choice of a test case, also the forced ones
that never reach a provider, so the place in a script is how many choices Hypothesis has noted so far.
A *rerun* is the same as numbers of options: a valid test case as the learner remembers it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeAlias, cast

from hypothesis.control import _current_build_context
from hypothesis.internal.conjecture.choice import choice_from_index, choice_permitted

from untrod.core.protocols import Learner, observer
from untrod.core.vocabulary import Choice
from untrod.engines.inputs.backend.arms import Arms, remember
from untrod.engines.inputs.backend.identity import MISSING
from untrod.engines.inputs.backend.mentions import Mentions
from untrod.engines.inputs.backend.names import Names
from untrod.engines.inputs.backend.plain import continue_probability
from untrod.engines.inputs.backend.spans import Span, SpanContext

Fact: TypeAlias = tuple[tuple[Any, ...], Any, Span]
"""A site, what was drawn there (for sampled elements, its number), and the span it was drawn in."""


SIMPLEST = (None,)
"""A script of any length: the simplest value of every draw. Hypothesis begins each test with it, out of a
backend's sight, and where nearly everything is rejected it is often the only valid input for a long time."""

_KINDS = {bool: "boolean", int: "integer", float: "float", str: "string", bytes: "bytes"}


class Asking:
    """The questions of one test function, test case after test case."""

    def __init__(self, spans: SpanContext, rng: Random, names: Names) -> None:
        self.learner: Any = None
        self._observe: Callable[[Choice, int], object] = lambda choice, option: None
        self.mentions = Mentions()
        self.answers: list[int] = []  # of the running test case: the numbers of the options
        self.facts: list[Fact] = []  # and what they mean, for reports
        self._spans = spans
        self._rng = rng
        self._names = names
        self._choice = Choice(spans.context)
        self._script: Sequence[Any] = ()
        self._rerun: Sequence[int] = ()
        self._learned: dict[Any, list[Any]] = {}
        self._wide: list[tuple[Any, Any]] = []

    def take(self, learner: Learner) -> None:
        """This one is asked from here on."""
        self.learner = learner
        self._observe = observer(learner)

    def begin(self, script: Sequence[Any] = (), rerun: Sequence[int] = ()) -> None:
        """A new test case, which plays `script` or `rerun` first."""
        self.answers.clear()
        self.facts.clear()
        self._wide.clear()
        self._script = script
        self._rerun = rerun

    def keep(self) -> None:
        """The test case was valid and new: its values from large domains are worth another try."""
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
        """The number of an option. What it stands for in the test is the option plus `low`."""
        choice = self._choice
        span = choice.context.frames[-1]
        assert isinstance(span, Span)
        choice.site = (kind, *span.key)
        choice.options = options
        if weights is None and self.mentions.words:
            weights = self._mentioned(span.name, options)
        choice.weights = weights
        choice.open = open_options
        option: int
        if self._rerun:
            wanted = self._remembered(options)
        if wanted is None:
            option = self.learner.decide(choice)
        else:
            option = wanted
            self._observe(choice, option)
        self.answers.append(option)
        if note and not (kind == "bool" and self._spans.between_elements):
            self._spans.note(option)
            self.facts.append((choice.site, low + option, span))
        return option

    def _mentioned(self, name: str, options: int) -> list[float] | None:
        elements = self._names.elements.get(name, ())
        return self.mentions.preference(elements) if len(elements) == options else None

    def _remembered(self, options: int) -> int | None:
        """What the rerun answers here. One that does not fit is dropped."""
        at = len(self.answers)
        if at < len(self._rerun) and self._rerun[at] < options:
            return self._rerun[at]
        self._rerun = ()
        return None

    def pull(self, kind: str, arms: Arms[Any], wanted: Any) -> Any:
        """A value from a large domain; `wanted` is what a script asks for, or MISSING."""
        scripted = None
        if wanted is not MISSING:
            scripted = arms.values.index(wanted) if wanted in arms.values else arms.options - 1
        option = self.pick(kind, arms.options, arms.weights, open_options=arms.open, wanted=scripted)
        pool = (self._choice.site, id(arms))  # one site may draw from several ranges
        value = wanted
        if wanted is MISSING:
            value = arms.draw(option, self._learned.get(pool, []), self._rng)
        if option < len(arms.values):
            self.facts[-1] = (*self.facts[-1][:1], value, *self.facts[-1][2:])
        else:
            self.facts.pop()  # one of very many
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
            self.facts[-1] = (*self.facts[-1][:1], letter, *self.facts[-1][2:])
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
