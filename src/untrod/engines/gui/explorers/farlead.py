"""FARLEAD's explorer: double Q-learning over tails and decisions."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Sequence

from untrod.core.vocabulary import Json
from untrod.drivers.protocol import Action, Screen, Step
from untrod.engines.gui.episode import GuiEpisode
from untrod.engines.gui.explorers.base import key, labelling
from untrod.engines.gui.ideas import Ideas
from untrod.learn.farlead import ActionLabels, DoubleQ, DoubleQSettings


class Farlead:
    """Two of the ideas live here, `tail` and `labels`. The other two are the agent's."""

    name = "farlead"

    def __init__(self, seed: int, ideas: Ideas, settings: DoubleQSettings | None = None) -> None:
        self.learner = DoubleQ(seed, settings, ActionLabels(labelling) if ideas.labels else None)
        self._tail: deque[Hashable] = deque(maxlen=max(ideas.tail, 1))
        self._with_actions = ideas.tail > 0
        self._last: tuple[Hashable, Hashable] | None = None

    def begin(self, screen: Screen) -> None:
        """Every episode begins with the same action, so there is nothing to remember of it."""
        self.learner.begin()
        self._last = None
        self._tail.clear()
        self._tail.append(("", screen.id) if self._with_actions else screen.id)

    def choose(self, actions: Sequence[Action]) -> Action:
        by_key = {key(action): action for action in actions}
        return by_key[self.learner.decide(self._state, list(by_key))]

    def observe(self, step: Step, reward: float) -> None:
        taken = key(step.action)
        self._last = (self._state, taken)
        self.learner.learn(self._state, taken, reward)
        self._tail.append((taken, step.screen.id) if self._with_actions else step.screen.id)

    def dead_end(self) -> None:
        if self._last is not None:  # a dead end at the start follows no decision
            self.learner.learn(*self._last, -1.0)

    def learn(self, episode: GuiEpisode) -> None:
        self.learner.end()

    @property
    def _state(self) -> Hashable:
        return tuple(self._tail)

    def state(self) -> Json:
        return self.learner.state()

    def load(self, state: Json) -> None:
        self.learner.load(state)
