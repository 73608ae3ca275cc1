"""FARLEAD's peers, section 5 of the paper: Random, Monkey and QBE. They know nothing of the formula."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from random import Random

from untrod.core.vocabulary import Json
from untrod.drivers.protocol import Action, Screen, Step
from untrod.engines.gui.episode import GuiEpisode
from untrod.learn.farlead import DoubleQ, DoubleQSettings
from untrod.learn.serialise import dump_random, load_random

SHARES = {
    "click": 15,
    "doubleclick": 15,
    "longclick": 10,
    "hover": 10,
    "scroll": 10,
    "swipe": 10,
    "back": 15,
    "menu": 15,
    "pauseresume": 2,
    "reload": 2,
    "rotate": 1,
}
ANY_OTHER = 13
"""The shares follow the defaults of Android's Monkey where it has such a kind: touch 15, motion 10, keys for
navigation 15, any other key 13, a change of application 2, the orientation 1. A kind that is not listed has
the share of any other key."""

QBE_SETTINGS = DoubleQSettings(doubleness=0.0, trace_decay=0.0)
"""One table, no trace: whether the activity changes is known at once."""


class RandomExplorer:
    """Every action that is offered is equally likely. The base of what only draws and never learns."""

    name = "random"

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def begin(self, screen: Screen) -> None: ...

    def choose(self, actions: Sequence[Action]) -> Action:
        return self._random.choice(actions)

    def observe(self, step: Step, reward: float) -> None: ...

    def dead_end(self) -> None: ...

    def learn(self, episode: GuiEpisode) -> None: ...

    def state(self) -> Json:
        return dump_random(self._random)

    def load(self, state: Json) -> None:
        load_random(self._random, state)


class Monkey(RandomExplorer):
    """Draws a kind of event in fixed shares, then an action of that kind, whatever the screen offers most of.

    Android's Monkey draws a kind of event first and its place afterwards. Here the kind is drawn from those
    that the screen offers, by SHARES. Its touches may hit nothing; ours always hit a widget.
    """

    name = "monkey"

    def choose(self, actions: Sequence[Action]) -> Action:
        kinds = list(dict.fromkeys(action.type for action in actions))
        (kind,) = self._random.choices(kinds, [SHARES.get(each, ANY_OTHER) for each in kinds])
        return self._random.choice([action for action in actions if action.type == kind])


class Qbe:
    """QBE for activity coverage: learns which kinds of actions lead from one activity to another.

    After Koroglu et al. (2018), as far as FARLEAD's paper describes it: kinds of actions are drawn from a
    learned distribution that favours changes of activity, and the specification plays no part. The state is
    how many actions of each kind the screen offers (one or several), so that what was learned on one
    application means something on the next: load the state of another run for a distribution learned
    beforehand. Leaving the application is a change of activity like any other, unless the driver blocks it.
    """

    name = "qbe"

    def __init__(self, seed: int) -> None:
        self.learner = DoubleQ(seed, QBE_SETTINGS)
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

    def learn(self, episode: GuiEpisode) -> None:
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
