"""Double Q-learning with eligibility traces: the learner of FARLEAD (Algorithms 2 and 4 of the paper).

    learner.begin()                                    # an episode
    while ...:
        action = learner.decide(state, actions)
        learner.learn(state, action, reward)           # after every step
    learner.end()

**Policy.** An action is drawn with probability (1 - epsilon) softmax((Q1 + Q2) / 2T) + epsilon / n. A high
temperature T means little trust in what was learned.

**Learning is myopic.** The error of a step is delta = r - Q1(s, a), without a look at the next state. The
reward travels back all the same, along the trace: every pair that was visited in this episode is moved by
rate * delta * e(s, a), and its eligibility e decays with every step. Below `trace_floor` it is left alone.

**Two tables.** Q1 is moved and Q2 follows: wholly with doubleness 0, when there is only one table in truth,
and not at all with doubleness 1. After each step the two change places with probability 1/2.

**Annealing.** After an episode T falls by a step, epsilon and the rate by a factor, each down to its floor.

States and actions are hashables of any kind. Those made of tuples, texts and numbers survive `state` and
`load`; others come back as their repr, and are learned anew.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import exp
from random import Random
from typing import TypeVar

from untrod.core.vocabulary import Json
from untrod.learn.action_labels import ActionLabels
from untrod.learn.double_q_settings import DoubleQSettings
from untrod.learn.double_values import DoubleValues, Pair
from untrod.learn.serialise import dump_key, dump_random, load_key, load_random

A = TypeVar("A", bound=Hashable)
Visit = tuple[Hashable, Hashable]
"""A state and an action."""


class DoubleQ:
    """`labels` switches action label learning on."""

    def __init__(
        self, seed: int, settings: DoubleQSettings | None = None, labels: ActionLabels | None = None
    ) -> None:
        self.settings = settings or DoubleQSettings()
        self.labels = labels
        self.temperature = self.settings.temperature
        self.epsilon = self.settings.epsilon
        self.rate = self.settings.rate
        self._random = Random(seed)
        self._values = DoubleValues(self._initial)
        self._eligible: dict[Visit, float] = {}

    @property
    def size(self) -> int:
        """How many pairs of state and action have been learned."""
        return len(self._values)

    def values(self, state: Hashable, action: Hashable) -> Pair:
        """Q1 and Q2."""
        return self._values.pair((state, action))

    def begin(self) -> None:
        self._eligible.clear()

    def probabilities(self, state: Hashable, actions: Sequence[Hashable]) -> list[float]:
        means = [sum(self.values(state, action)) / 2.0 for action in actions]
        best = max(means)  # taken off, so that exp cannot overflow: the quotient is the same
        weights = [exp((mean - best) / self.temperature) for mean in means]
        total, uniform = sum(weights), self.epsilon / len(actions)
        return [(1.0 - self.epsilon) * weight / total + uniform for weight in weights]

    def decide(self, state: Hashable, actions: Sequence[A]) -> A:
        return self._random.choices(actions, self.probabilities(state, actions))[0]

    def learn(self, state: Hashable, action: Hashable, reward: float) -> None:
        settings, visit = self.settings, (state, action)
        delta = reward - self._values.pair(visit)[0]
        self._eligible[visit] = self._eligible.get(visit, 0.0) + 1.0
        for each, eligibility in self._eligible.items():
            if eligibility < settings.trace_floor:
                continue
            change = self.rate * delta * eligibility
            # The state's own value first: where it is new, it starts from the labels as they were.
            self._values.move(each, change, bound=settings.bound, doubleness=settings.doubleness)
            if self.labels is not None:
                self.labels.move(each[1], change, bound=settings.bound, doubleness=settings.doubleness)
            self._eligible[each] = settings.trace_decay * eligibility
        if self._random.random() < 0.5:
            self._values.swap()
            if self.labels is not None:
                self.labels.swap()

    def end(self) -> None:
        settings = self.settings
        self.temperature = max(self.temperature - settings.temperature_step, settings.temperature_floor)
        self.epsilon = max(self.epsilon * settings.epsilon_factor, settings.epsilon_floor)
        self.rate = max(self.rate * settings.rate_factor, settings.rate_floor)

    def _initial(self, visit: Visit) -> Pair:
        return self.labels.pair(visit[1]) if self.labels is not None else (0.0, 0.0)

    def state(self) -> Json:
        return {
            "random": dump_random(self._random),
            "annealed": [self.temperature, self.epsilon, self.rate],
            "values": self._values.state(),
            "labels": self.labels.state() if self.labels is not None else None,
            "eligible": [[dump_key(visit), value] for visit, value in self._eligible.items()],
        }

    def load(self, state: Json) -> None:
        """What was learned without labels can be loaded with them, and the other way round.

        All or nothing: everything is read before anything changes.
        """
        eligible = {load_key(visit): float(value) for visit, value in state["eligible"]}
        temperature, epsilon, rate = map(float, state["annealed"])
        random, values = Random(), DoubleValues(self._initial)
        load_random(random, state["random"])
        values.load(state["values"])
        if self.labels is not None:
            self.labels.load(state["labels"] or [])
        self._random, self._values, self._eligible = random, values, eligible
        self.temperature, self.epsilon, self.rate = temperature, epsilon, rate
