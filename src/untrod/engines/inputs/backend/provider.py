"""`@settings(backend="untrod")`: a Hypothesis backend whose draws are decided by a learner.

The provider turns every draw into a `Choice`, spans into its context (see `spans`), and the end of a test
case into an `Episode`: passed or failed is valid, a rejection or an overrun is invalid. Failing inputs are
replayed and shrunk by Hypothesis itself. Forced draws never reach a provider.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from random import Random
from types import TracebackType
from typing import Any, cast

from hypothesis.control import _current_build_context
from hypothesis.errors import BackendCannotProceed, StopTest, UnsatisfiedAssumption
from hypothesis.internal.conjecture.choice import choice_permitted
from hypothesis.internal.conjecture.providers import COLLECTION_DEFAULT_MAX_SIZE, PrimitiveProvider
from hypothesis.internal.intervalsets import IntervalSet

from untrod.core.vocabulary import Choice, Episode, Outcome
from untrod.engines.inputs.backend import config as configuration
from untrod.engines.inputs.backend.arms import Arms, float_arms, integer_arms, remember
from untrod.engines.inputs.backend.identity import MISSING, Identity
from untrod.engines.inputs.backend.names import Names
from untrod.engines.inputs.backend.plain import PlainDraws, continue_probability
from untrod.engines.inputs.backend.progress import Progress
from untrod.engines.inputs.backend.spans import Span, SpanContext
from untrod.engines.inputs.backend.warm import load_tables, student_of
from untrod.learn.catalogue import make_learner

COLD = 10
"""Below this many valid inputs, rejected ones are watched for progress."""

SMALL = 64
"""Domains up to this size are learned value by value."""


class UntrodProvider(PrimitiveProvider):
    """One per test function: what it learns lasts for the whole run."""

    lifetime = "test_function"

    def __init__(self, conjecturedata: Any = None, /) -> None:
        super().__init__(None)
        self.config = configuration.current()
        self._rng = Random(0)
        self._plain = PlainDraws(self._rng)
        self.names = Names()
        self.spans = SpanContext(self.names)
        self._choice = Choice(self.spans.context)
        self._identity = Identity()
        self._arms: dict[Any, Arms[Any]] = {}
        self._learned: dict[Any, list[Any]] = {}
        self._wide: list[tuple[Any, Any]] = []
        self.learner: Any = None
        self._started = False
        self.episodes = self.valid = self.unique = 0
        self._scripts: list[list[Any]] = []
        self._script: list[Any] = []
        self._guided = self._engine_runs_us = False
        self._answers: list[int] = []
        self._progress = Progress(self.spans)

    # -- test cases -------------------------------------------------------------------------------

    def per_test_case_context_manager(self) -> UntrodProvider:
        return self

    def __enter__(self) -> UntrodProvider:
        if not self._started:
            self._start()
        self.spans.reset()
        self._answers.clear()
        self._wide.clear()
        self._guided = getattr(self.learner, "awake", self.learner.needs_context)
        self._script = self._scripts.pop(0)[::-1] if self._guided and self._scripts else []
        if self._guided and self._engine_runs_us and self.valid < COLD:
            self._progress.start()
        return self

    def _start(self) -> None:
        """The seed comes from the running test, so `@seed` and `--hypothesis-seed` hold here too."""
        seed = self.config.seed
        context = _current_build_context.value
        self._engine_runs_us = context is not None and context.data.provider is self
        if seed is None:
            source = None if context is None else context.data._random
            seed = random.getrandbits(63) if source is None else source.getrandbits(63)
        self._rng.seed(seed)
        self.learner = make_learner(self.config.learner, seed)
        if self.config.tables is not None:
            load_tables(self.learner, self.config.tables)
        self._started = True
        for choices in self.config.corpus:
            self.replay_choices(choices)
        if self.config.started is not None:
            self.config.started(self)

    def replay_choices(self, choices: tuple[Any, ...]) -> None:
        """Play `choices` in a coming test case, as far as they fit, and learn from how it ends."""
        self._scripts.append(list(choices))
        wake = getattr(self.learner, "wake", None)
        if wake is not None:
            wake()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._progress.stop()
        if kind is not None and issubclass(kind, BackendCannotProceed | KeyboardInterrupt):
            return
        self.episodes += 1
        episode = Episode(self.episodes, self._answers, error=error)
        if kind is not None and issubclass(kind, UnsatisfiedAssumption | StopTest):
            episode.outcome = Outcome.INVALID
            episode.progress = self._progress.made(error)
        else:
            self._judge_valid(episode)
        self.learner.learn(episode)

    def _judge_valid(self, episode: Episode) -> None:
        self.valid += 1
        if not self._guided:
            return
        episode.key = self._identity.of(self.spans.texts, self.spans.context.answers)
        episode.new = self._identity.add(episode.key)
        if episode.new:
            self.unique += 1
            for pool, value in self._wide:
                remember(self._learned.setdefault(pool, []), value, self._rng)

    def span_start(self, label: int, /) -> None:
        if self._guided:
            self.spans.open(label)

    def span_end(self, discard: bool, /) -> None:
        if self._guided:
            self.spans.close(discard)

    # -- draws ------------------------------------------------------------------------------------

    def draw_boolean(self, p: float = 0.5) -> bool:
        if p <= 0.0:
            return False
        if p >= 1.0:
            return True
        if not self._guided:
            return self._rng.random() < p
        wanted = self._scripted(bool, {"p": p})
        return bool(self._pick("bool", 2, (1.0 - p, p), wanted=None if wanted is MISSING else int(wanted)))

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
            return self._plain.draw_integer(**constraints)
        if min_value is not None and max_value is not None and max_value - min_value < SMALL:
            options = max_value - min_value + 1
            if options == 1:
                return min_value
            wanted = self._scripted(int, constraints)
            wanted = None if wanted is MISSING else wanted - min_value
            preference = None
            if weights is not None:
                rest = (1.0 - sum(weights.values())) / options
                preference = [weights.get(min_value + option, 0.0) + rest for option in range(options)]
            return min_value + self._pick("int", options, preference, wanted=wanted)
        key = (min_value, max_value, shrink_towards)
        arms = self._arms.get(key)
        if arms is None:
            arms = self._arms[key] = integer_arms(min_value, max_value, shrink_towards)
        return int(self._pull("wide-int", arms, self._scripted(int, constraints)))

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
            return self._plain.draw_float(**constraints)
        signs = (math.copysign(1.0, min_value), math.copysign(1.0, max_value))  # 0.0 == -0.0, but not here
        key = ("float", min_value, max_value, allow_nan, smallest_nonzero_magnitude, signs)
        arms = self._arms.get(key)
        if arms is None:
            arms = self._arms[key] = float_arms(
                min_value,
                max_value,
                lambda value: choice_permitted(value, constraints),
                lambda: self._plain.draw_float(**constraints),
            )
        return float(self._pull("float", arms, self._scripted(float, constraints)))

    def draw_string(
        self, intervals: IntervalSet, *, min_size: int = 0, max_size: int = COLLECTION_DEFAULT_MAX_SIZE
    ) -> str:
        characters = len(intervals)
        constraints: Any = {"intervals": intervals, "min_size": min_size, "max_size": max_size}
        if not self._guided or characters == 0:
            return self._plain.draw_string(intervals, min_size=min_size, max_size=max_size)
        if characters <= SMALL:
            wanted = self._scripted(str, constraints)
            script = (
                None if wanted is MISSING else [intervals.index_from_char_in_shrink_order(c) for c in wanted]
            )
            chosen = self._spell(characters, min_size, max_size, script)
            return "".join(intervals.char_in_shrink_order(index) for index in chosen)
        key = ("text", intervals, min_size, max_size)
        arms = self._arms.get(key)
        if arms is None:
            from untrod.engines.inputs.backend.texts import string_arms

            arms = self._arms[key] = string_arms(intervals, min_size, max_size, self._plain)
        return str(self._pull("text", arms, self._scripted(str, constraints)))

    def draw_bytes(self, min_size: int = 0, max_size: int = COLLECTION_DEFAULT_MAX_SIZE) -> bytes:
        if not self._guided:
            return self._plain.draw_bytes(min_size, max_size)
        key = ("bytes", min_size, max_size)
        arms = self._arms.get(key)
        if arms is None:
            from untrod.engines.inputs.backend.texts import bytes_arms

            arms = self._arms[key] = bytes_arms(min_size, max_size, self._plain)
        wanted = self._scripted(bytes, {"min_size": min_size, "max_size": max_size})
        value = self._pull("bytes", arms, wanted)
        assert isinstance(value, bytes)
        return value

    def _spell(self, characters: int, min_size: int, max_size: int, script: list[int] | None) -> list[int]:
        """A text over a small alphabet, character by character, as a level of its own."""
        go_on = continue_probability(min_size, max_size)
        context = self.spans.context
        parent = context.frames[-1]
        assert isinstance(parent, Span)
        text = Span("text", 0, parent.name, len(context.answers), False)
        context.frames.append(text)
        chosen: list[int] = []
        while len(chosen) < max_size:
            more = char = None
            if script is not None:
                more = int(len(chosen) < len(script))
                char = script[len(chosen)] if more else None
            may_stop = len(chosen) >= min_size
            if may_stop and not self._pick("more", 2, (1.0 - go_on, go_on), note=False, wanted=more):
                break
            chosen.append(self._pick("char", characters, None, wanted=char))
        context.frames.pop()
        parent.nested = True
        return chosen

    # -- choices ----------------------------------------------------------------------------------

    def _pick(
        self,
        kind: str,
        options: int,
        weights: Any,
        *,
        open_options: int = 0,
        note: bool = True,
        wanted: int | None = None,
    ) -> int:
        choice = self._choice
        span = choice.context.frames[-1]
        assert isinstance(span, Span)
        choice.site = (kind, *span.key)
        choice.options = options
        choice.weights = weights
        choice.open = open_options
        option: int
        if wanted is None:
            option = self.learner.decide(choice)
        else:
            option = wanted
            observe = getattr(self.learner, "observe", None) or (
                lambda choice, _: self.learner.decide(choice)
            )
            observe(choice, option)
        self._answers.append(option)
        if note and not (kind == "bool" and self.spans.between_elements):
            self.spans.note(option)
        return option

    def _pull(self, kind: str, arms: Arms[Any], wanted: Any) -> Any:
        """A value from a large domain; `wanted` is what a script asks for, or MISSING."""
        scripted = None
        if wanted is not MISSING:
            scripted = arms.values.index(wanted) if wanted in arms.values else arms.options - 1
        option = self._pick(kind, arms.options, arms.weights, open_options=arms.open, wanted=scripted)
        pool = (self._choice.site, id(arms))  # one site may draw from several ranges
        value = wanted
        if wanted is MISSING:
            value = arms.draw(option, self._learned.get(pool, []), self._rng)
        if option >= len(arms.values):
            self._wide.append((pool, value))
            self.spans.context.answers[-1] = value
        return value

    def _scripted(self, kind: type, constraints: Any) -> Any:
        """The next choice of the script being played. A script that does not fit is dropped."""
        if not self._script:
            return MISSING
        value: Any = self._script.pop()
        fits = type(value) is kind and bool(choice_permitted(cast(Any, value), constraints))
        if fits:
            return value
        self._script.clear()
        return MISSING

    # -- reports ----------------------------------------------------------------------------------

    def observe_test_case(self) -> dict[str, Any]:
        arm = getattr(self.learner, "arm", None)
        return {"learner": self.config.learner, "arm": arm, "valid": self.valid, "unique": self.unique}

    def observe_information_messages(self, *, lifetime: Any) -> Iterable[Any]:
        if lifetime == "test_function":
            lines = self.rejections()
            if lines:
                yield {"type": "info", "title": "untrod: rejected choices", "content": "\n".join(lines)}

    def rejections(self, at_most: int = 10) -> list[str]:
        """Why inputs were rejected: one line per choice that most rejections have in common."""
        from untrod.engines.inputs.backend.report import explain

        student = student_of(self.learner)
        return [] if student is None else explain(student, self.names, at_most)
