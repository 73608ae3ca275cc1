"""QBE for activity coverage: learns which kinds of actions lead from one activity to another.

After Koroglu et al. (2018), as far as FARLEAD's paper describes it: kinds of actions are drawn from a learned
distribution that favours changes of activity, and the specification plays no part. The state is how many
actions of each kind the screen offers (one or several), so that what was learned on one application means
something on the next: load the state of another run for a distribution learned beforehand. Leaving the
application is a change of activity like any other, unless the driver blocks it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from random import Random

from untrod.core.vocabulary import Json
from untrod.drivers.protocol import Action, Screen, Step
from untrod.learn.farlead import DoubleQ, DoubleQSettings
from untrod.learn.serialise import dump_random, load_random

SETTINGS = DoubleQSettings(doubleness=0.0, trace_decay=0.0)
"""One table, no trace: whether the activity changes is known at once."""


class Qbe:
    name = "qbe"

    def __init__(self, seed: int) -> None:
        self.learner = DoubleQ(seed, SETTINGS)
        self._random = Random(seed)
        self._state: Hashable = None
        self._activity: Hashable = None

    def begin(self, screen: Screen) -> None:
        self.learner.begin()
        self._state = None
        self._activity = _activity(screen)

    def choose(self, actions: Sequence[Action]) -> Action:
        kinds = Counter(action.type for action in actions)
        self._state = tuple(sorted((kind, min(count, 2)) for kind, count in kinds.items()))
        kind = self.learner.decide(self._state, sorted(kinds))
        return self._random.choice([action for action in actions if action.type == kind])

    def observe(self, step: Step, reward: float) -> None:
        before, self._activity = self._activity, _activity(step.screen)
        if self._state is not None:  # else the agent took this step unasked
            self.learner.learn(self._state, step.action.type, float(before != self._activity))
        self._state = None

    def dead_end(self) -> None: ...

    def end(self) -> None:
        self.learner.end()

    def state(self) -> Json:
        return {"random": dump_random(self._random), "learner": self.learner.state()}

    def load(self, state: Json) -> None:
        random = Random()
        load_random(random, state["random"])
        self.learner.load(state["learner"])
        self._random = random


def _activity(screen: Screen) -> Hashable:
    """The activity, or what is nearest to it: a page has an address, and any screen an identity."""
    return screen.attrs.get("activity") or screen.attrs.get("url") or screen.id
