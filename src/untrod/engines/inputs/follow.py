"""Plays known traces before a learner that watches: the first episodes of a campaign with a corpus."""

from __future__ import annotations

from collections.abc import Sequence

from untrod.core.protocols import Learner, Sleeps, observer
from untrod.core.vocabulary import Choice, Episode, Json


class Following:
    """A learner for episodes 0, 1, ..., one for each trace; after that, and where a trace does not fit the
    question, `learner` decides. It learns from all of them as if it had made every decision.
    """

    needs_context = True

    def __init__(self, learner: Learner, traces: Sequence[Sequence[int]]) -> None:
        self.name = learner.name
        self._learner = learner
        self._traces = traces
        self._trace: Sequence[int] = ()
        self._observe = observer(learner)
        self._sleeper = learner if isinstance(learner, Sleeps) else None

    def __len__(self) -> int:
        return len(self._traces)

    def follow(self, number: int) -> None:
        """The next episode plays the trace with this number."""
        self._trace = self._traces[number]
        if self._sleeper is not None:
            self._sleeper.wake()

    def decide(self, choice: Choice) -> int:
        at = len(choice.context.answers)
        if at >= len(self._trace) or not 0 <= self._trace[at] < choice.options:
            self._trace = ()
            return self._learner.decide(choice)
        self._observe(choice, self._trace[at])
        return self._trace[at]

    def learn(self, episode: Episode) -> None:
        self._learner.learn(episode)
        if episode.number + 1 == len(self._traces) and self._sleeper is not None:
            self._sleeper.rest()

    def state(self) -> Json:
        return self._learner.state()

    def load(self, state: Json) -> None:
        self._learner.load(state)
