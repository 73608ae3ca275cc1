"""FARLEAD: double Q-learning with eligibility traces (Koroglu and Sen, 2019; Algorithms 2 and 4).

    learner.begin()                                    # an episode
    while ...:
        action = learner.decide(state, actions)
        learner.learn(state, action, reward)           # after every step
    learner.end()

**Policy** (Algorithm 2, section 3.1). A high temperature T means little trust in what was learned:

    P(a | s) = (1 - epsilon) softmax((Q1(s, a) + Q2(s, a)) / 2T) + epsilon / |A_s|

**Learning is myopic** (Algorithm 4, section 3.3): the error of a step does not look at the next state. The
reward travels back all the same, along the eligibility trace e of the pairs visited in this episode:

    delta    = r - Q1(s, a);  e(s, a) += 1                                             lines 10, 11
    for all (s, a) with e(s, a) >= e_min:                                              line 12
        Q1(s, a) = clip(Q1(s, a) + eta delta e(s, a), -rho, rho)                       line 13
        Q2(s, a) = (1 - alpha) Q1(s, a) + alpha Q2(s, a)                               line 14
        e(s, a)  = lambda e(s, a)                                                      line 15
    Q1, Q2   = Q2, Q1 with probability 1/2                                             line 17

Q1 is moved and Q2 follows: wholly with doubleness alpha = 0, when there is only one table in truth, and not
at all with alpha = 1. After an episode T falls by a step, epsilon and eta by a factor, each down to its floor
(line 21).

Rewards from a formula, reward prediction and tails/decisions are not here: they are in `ltl/reward.py`,
`engines/gui/agent.py` and `engines/gui/explorers/farlead.py`.

States and actions are hashables of any kind. Those made of tuples, texts and numbers survive `state` and
`load`; others come back as their repr, and are learned anew.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import exp
from random import Random
from typing import Any, TypeAlias, TypeVar

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Json
from untrod.learn.serialise import dump_key, dump_random, load_key, load_random

A = TypeVar("A", bound=Hashable)
Visit = tuple[Hashable, Hashable]
"""A state and an action."""
Pair: TypeAlias = tuple[float, float]
"""The first and the second value of one key."""


@dataclass(frozen=True, slots=True)
class DoubleQSettings:
    """In the paper's letters: T, eps, eta with their steps, factors and floors, lambda, e_min, rho, alpha.

    The paper keeps them fixed and does not print them. These are ours.
    """

    temperature: float = 0.5
    temperature_step: float = 0.01
    temperature_floor: float = 0.1
    epsilon: float = 0.3
    epsilon_factor: float = 0.99
    epsilon_floor: float = 0.05
    rate: float = 0.5
    rate_factor: float = 0.995
    rate_floor: float = 0.1
    trace_decay: float = 0.8
    trace_floor: float = 0.05
    bound: float = 2.0
    doubleness: float = 0.5

    def __post_init__(self) -> None:
        shares = ("epsilon", "epsilon_factor", "epsilon_floor", "rate_factor", "trace_decay", "doubleness")
        for name in shares:
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise UntrodError(
                    f"{name} = {getattr(self, name)} is out of range", "give a number from 0 to 1"
                )
        for name in ("temperature", "temperature_floor", "rate", "bound"):
            if not getattr(self, name) > 0.0:
                raise UntrodError(f"{name} = {getattr(self, name)} is out of range", "give a number above 0")


class DoubleQ:
    """See the module's text. `labels` switches action label learning on."""

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
        """Algorithm 4, line 6: e <- 0."""
        self._eligible.clear()

    def probabilities(self, state: Hashable, actions: Sequence[Hashable]) -> list[float]:
        """Algorithm 2, line 3."""
        means = [sum(self.values(state, action)) / 2.0 for action in actions]
        best = max(means)  # taken off, so that exp cannot overflow: the quotient is the same
        weights = [exp((mean - best) / self.temperature) for mean in means]
        total, uniform = sum(weights), self.epsilon / len(actions)
        return [(1.0 - self.epsilon) * weight / total + uniform for weight in weights]

    def decide(self, state: Hashable, actions: Sequence[A]) -> A:
        return self._random.choices(actions, self.probabilities(state, actions))[0]

    def learn(self, state: Hashable, action: Hashable, reward: float) -> None:
        """Algorithm 4, lines 9 to 18."""
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
        """Algorithm 4, line 21."""
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


class DoubleValues:
    """Q1 and Q2. A key that was never moved has the value that `initial` says, and takes no room.

    Both tables always have the same keys in the same order: a key enters both at once.
    """

    def __init__(self, initial: Callable[[Any], Pair] | None = None) -> None:
        self._initial = initial
        self._first: dict[Hashable, float] = {}
        self._second: dict[Hashable, float] = {}

    def __len__(self) -> int:
        return len(self._first)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._first

    def pair(self, key: Hashable) -> Pair:
        if key in self._first:
            return self._first[key], self._second[key]
        return self._initial(key) if self._initial else (0.0, 0.0)

    def move(self, key: Hashable, change: float, *, bound: float, doubleness: float) -> None:
        """Algorithm 4, lines 13 and 14: Q1 moves and is clipped, Q2 follows it or does not."""
        first, second = self.pair(key)
        first = min(max(first + change, -bound), bound)
        self._first[key] = first
        self._second[key] = (1.0 - doubleness) * first + doubleness * second

    def swap(self) -> None:
        self._first, self._second = self._second, self._first

    def state(self) -> Json:
        return [[dump_key(key), first, self._second[key]] for key, first in self._first.items()]

    def load(self, state: Json) -> None:
        first: dict[Hashable, float] = {}
        second: dict[Hashable, float] = {}
        for body, one, two in state:
            key = load_key(body)
            first[key], second[key] = float(one), float(two)
        self._first, self._second = first, second


# -- action label learning (section 3.3): what an action is worth anywhere -----------------------------
#
# A Q-value speaks about one state. In a state that was never met before, a learner knows nothing, although it
# may have seen the same button a hundred times elsewhere. So a second pair of values is kept for each
# *labelling* of an action, without a state, and moved along with the Q-values of every state where an action
# of that labelling was taken. A pair of state and action that was never learned starts from it.
#
# The paper copies the stateless Q1 when a new state is learned. Here both stateless values are what such a
# pair is worth until it is learned: the policy reads it before that, and it reads the mean of both.


class ActionLabels:
    """`labelling` says what is the same about actions in different states."""

    def __init__(self, labelling: Callable[[Any], Hashable] = lambda action: action) -> None:
        self._labelling = labelling
        self._values = DoubleValues()

    def __len__(self) -> int:
        return len(self._values)

    def pair(self, action: Hashable) -> Pair:
        return self._values.pair(self._labelling(action))

    def move(self, action: Hashable, change: float, *, bound: float, doubleness: float) -> None:
        self._values.move(self._labelling(action), change, bound=bound, doubleness=doubleness)

    def swap(self) -> None:
        self._values.swap()

    def state(self) -> Json:
        return self._values.state()

    def load(self, state: Json) -> None:
        self._values.load(state)
