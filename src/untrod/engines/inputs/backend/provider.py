"""`@settings(backend="untrod")`: a Hypothesis backend whose draws are decided by a learner.

The provider turns every draw into a `Choice`, spans into its context (see `spans`), and the end of a test
case into an `Episode`: passed or failed is valid, a rejection or an overrun is invalid. Failing inputs are
replayed and shrunk by Hypothesis itself. This file is about test cases, `draws` about the values in them.
"""

from __future__ import annotations

import os
import random
import warnings
from collections.abc import Hashable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

from hypothesis.control import _current_build_context
from hypothesis.errors import BackendCannotProceed, StopTest, UnsatisfiedAssumption

from untrod.core.protocols import HasArms, Learner, Sleeps, needs_context
from untrod.core.vocabulary import Episode, Outcome
from untrod.engines.inputs.backend import config as configuration
from untrod.engines.inputs.backend.bootstrap import RunningTest, Script, script_of
from untrod.engines.inputs.backend.characteristic import CaseCharacteristic, SeenValues
from untrod.engines.inputs.backend.draws import SIMPLEST, DrawingProvider
from untrod.engines.inputs.backend.rejections import ChoiceLabels, Reason, RejectionCounts, described, explain
from untrod.engines.inputs.backend.transfer import adopt, adopt_stored
from untrod.engines.inputs.judge import COLD, Footprint, RejectionProgress, place_of
from untrod.learn.catalogue import make_learner
from untrod.learn.exonerate.learner import Exonerate, exonerate_of

RERUNS = 10
"""So many valid inputs begin a warm start. With as many, Hypothesis's `filter_too_much` is content."""


ENOUGH_KNOWN = 20
"""Valid inputs that a learner has to know: from then on, those of its sleep are not played to it again."""


class UntrodProvider(DrawingProvider):
    """One per test function: what it learns lasts for the whole run."""

    lifetime = "test_function"

    def __init__(self, conjecturedata: Any = None, /) -> None:
        self.config = configuration.current()
        self.rejection_counts: RejectionCounts = self.config.rejection_counts or RejectionCounts()
        super().__init__(self.rejection_counts.names)
        self._seen_values = SeenValues()
        self._started = False
        self._sleeper: Sleeps | None = None
        self._exonerate: Exonerate | None = None  # the learner, or its member, whose tables can be kept
        self._needs_context = True
        self.episodes = self.valid = self.unique = 0
        self._test = RunningTest.find()
        self._scripts: list[Script] = []
        self._deferred: list[Script] = [SIMPLEST] if self._test else []
        if self._test and self.config.bootstrap:
            self._deferred += self._test.scripts()
        self._reruns: list[list[int]] = []
        self._is_warm = self.config.tables is not None
        self._plays_last = False  # the running test case plays the last script
        self.used_lines: set[int] = set()  # of the corpus
        self._engine_runs_us = self._rejected = self._has_rejected = self._complained = False
        self._data: Any = None  # Hypothesis's record of the running test case
        self.characteristic = CaseCharacteristic(
            self.config.different, Footprint(os.getcwd(), unless=self._drawing)
        )
        if self.characteristic.by_function:
            self.spans.on_arguments = self.characteristic.arguments
        self._progress = RejectionProgress()

    @property
    def learner(self) -> Any:
        """None until the first test case."""
        return self._chooser.learner

    # -- test cases -------------------------------------------------------------------------------

    def per_test_case_context_manager(self) -> UntrodProvider:
        return self

    def __enter__(self) -> UntrodProvider:
        if not self._started:
            self._start()
        self.spans.reset()
        self._guided = self._sleeper.awake if self._sleeper is not None else self._needs_context
        if self._reruns and self._guided and not self._scripts:
            self._chooser.begin(rerun=self._reruns.pop())
        else:
            self._chooser.begin(self._next_script() if self._guided else ())
        if self._engine_runs_us:
            context = _current_build_context.value
            self._data = None if context is None else context.data
            self.characteristic.begin(wide=self._is_climbing)
        return self

    def _next_script(self) -> Script:
        """Corpus entries come first; deferred scripts, when the learner wakes up because something was
        rejected."""
        if self._scripts:
            self._plays_last = len(self._scripts) == 1
            return self._scripts.pop(0)
        return self._deferred.pop(0) if self._deferred else ()

    @property
    def _is_climbing(self) -> bool:
        """Rejected inputs earn credit for how far they came."""
        return self.config.reward == "greybox" and self._guided and self.valid < COLD

    def _drawing(self) -> bool:
        """Whether a strategy is being drawn from: the running code makes the input, and does not check it."""
        return self._data is not None and self._data.depth > 0

    def _start(self) -> None:
        """The seed comes from the running test, so `@seed` and `--hypothesis-seed` hold here too."""
        seed = self.config.seed
        context = _current_build_context.value
        self._engine_runs_us = context is not None and context.data.provider is self
        if seed is None:
            source = None if context is None else context.data._random
            seed = random.getrandbits(63) if source is None else source.getrandbits(63)
        self._rng.seed(seed)
        self._use(make_learner(self.config.learner, seed))
        if self.config.tables is not None:
            adopt(self.learner, self.config.tables)
        elif self.config.warm and self._test is not None:
            self._is_warm = adopt_stored(self._test.name, self)
        exonerate = self._exonerate if self._is_warm and self.config.bootstrap else None
        self._reruns = exonerate.seeds[-RERUNS:] if exonerate else []
        self._started = True
        for choices in self.config.corpus:
            self.replay_choices(choices)
        strategies = self._test.strategies if self._test else {}
        for entry in self.config.entries:
            script = script_of(entry, strategies)
            if script is not None:
                self.used_lines.add(entry.line)
                self.replay_choices(script)
        if self.config.started is not None:
            self.config.started(self)

    def _use(self, learner: Learner) -> None:
        """Let `learner` decide from here on. Which optional protocols it has is found out once, not per
        test case."""
        self._chooser.use(learner)
        self._needs_context = needs_context(learner)
        self._exonerate = exonerate_of(learner)
        if isinstance(learner, Sleeps):
            self._sleeper = learner
            learner.sleeps_for_random = True

    def replay_choices(self, choices: tuple[Any, ...]) -> None:
        """Play `choices` in a coming test case, as far as they fit, and learn from how it ends."""
        self._scripts.append(tuple(choices))
        if self._sleeper is not None:
            self._sleeper.wake()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.characteristic.end()
        if kind is not None and issubclass(kind, BackendCannotProceed | KeyboardInterrupt):
            return
        self.episodes += 1
        episode = Episode(self.episodes, self._chooser.answers, error=error)
        if kind is not None and issubclass(kind, UnsatisfiedAssumption | StopTest):
            episode.outcome = Outcome.INVALID
            if self.config.reward == "greybox":
                lines = self.characteristic.footprint.lines() if self._is_climbing else {}
                episode.progress = self._progress.made(lines, getattr(error, "location", None))
                episode.place = place_of(error)
                episode.lines = frozenset(lines)
                if not self.valid:
                    self._chooser.constants.add(error)
        else:
            self._judge_valid(episode)
        self._rejected = episode.outcome is Outcome.INVALID
        self._has_rejected |= self._rejected
        if self._guided:
            self.rejection_counts.add(self._chooser.drawn, not self._rejected, _place_of(error))
        self.learner.learn(episode)
        if self._plays_last and not self._is_warm and self._sleeper is not None:
            self._sleeper.rest()
        self._plays_last = False

    def _judge_valid(self, episode: Episode) -> None:
        self.valid += 1
        self._chooser.constants.forget()
        if not self._guided or not self._chooser.answers:
            self._judge_unguided(episode)
            return
        key = self.characteristic.key(self._data)
        self._complain()
        episode.key = key or self._seen_values.key(self.spans.texts, self.spans.context.answers)
        episode.new = self._seen_values.add(episode.key)
        if episode.new:
            self.unique += 1
            self._chooser.remember_values()

    def _judge_unguided(self, episode: Episode) -> None:
        """The learner slept, or Hypothesis made the input itself, as it does with the simplest one.

        Once something was rejected, the learner has to know what the default draws are worth. And the first
        few new inputs that they bring are played again, for the learner to observe.
        """
        key: Hashable = None
        if self._has_rejected:
            key = self.characteristic.key(self._data)
            if key is None and self.spans.texts and None not in self.spans.texts:
                key = self._seen_values.key(self.spans.texts, [])
            episode.new = key is None or not self._seen_values.knows(key)
        exonerate = self._exonerate
        defers = episode.new or not self._has_rejected
        if defers and exonerate is not None and exonerate.valid + len(self._deferred) < ENOUGH_KNOWN:
            self._deferred.append(tuple(node.value for node in self._data.nodes) if self._data else ())
        elif key is not None:
            self._seen_values.add(key)

    def _complain(self) -> None:
        """A warning, once. In a campaign, the job reports it as a notice."""
        if self.characteristic.complaint is not None and self.config.started is None and not self._complained:
            self._complained = True
            warnings.warn(f"untrod: {self.characteristic.complaint}", stacklevel=2)

    def span_start(self, label: int, /) -> None:
        """Hypothesis counts the span when this has returned."""
        if self._data is not None and self._data.depth == 0:
            self.characteristic.footprint.pause()
        if self._guided:
            self.spans.open(label)

    def span_end(self, discard: bool, /) -> None:
        if self._guided:
            self.spans.close(discard)
        if self._data is not None and self._data.depth == 1:
            if not self._guided and self._has_rejected:
                self.spans.note_text()
            self.characteristic.footprint.resume()

    # -- reports ----------------------------------------------------------------------------------

    def observe_test_case(self) -> dict[str, Any]:
        record: dict[str, Any] = {
            "learner": self.config.learner,
            "arm": self.learner.arm if isinstance(self.learner, HasArms) else None,
            "valid": self.valid,
            "unique": self.unique,
        }
        suspect = self.rejection_counts.suspect(self._chooser.drawn) if self._rejected else None
        if suspect is not None:
            combination, count = suspect
            record["suspect"] = (
                f"{described(combination, self._labels())}: {count.valid} of {count.tried} valid"
            )
        return record

    def observe_information_messages(self, *, lifetime: Any) -> Iterable[Any]:
        if lifetime == "test_function":
            lines = "\n".join(map(str, self.rejections()))
            if lines:
                kind = "info" if self.valid else "alert"
                yield {"type": kind, "title": "untrod: most rejected choices", "content": lines}

    def rejections(self, project: Path | None = None, at_most: int = 10) -> list[Reason]:
        """Why inputs were rejected: the choices that most rejections have in common."""
        return explain(self.rejection_counts, self._labels(), project or Path.cwd(), at_most)

    def _labels(self) -> ChoiceLabels:
        return ChoiceLabels(self.names, tuple(self._test.strategies) if self._test else ())


def _place_of(error: BaseException | None) -> str:
    """The line that rejected: an `assume`, or the `.filter` that gave up."""
    context = _current_build_context.value
    place = getattr(error, "location", None) or (context and context.data.invalid_location)
    return place or ""
