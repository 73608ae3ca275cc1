"""A walk through a running app under a budget of steps, of which a reset is one, too.

The walk goes where an action most likely leads to a screen that nobody has seen. `NoveltyEstimate` says how
likely, by what actions are called.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from random import Random
from statistics import fmean

from untrod.core.catalogue import nearest
from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Json
from untrod.drivers.actions import dump_action, load_action
from untrod.drivers.protocol import NOT_TAKEN, Action, Driver, Event, Screen, Step, StepOutcome
from untrod.engines.explore.live.screen_map import Aim, Label, ScreenMap
from untrod.learn.serialise import dump_key, dump_random, load_key, load_random

WAYS = ("labels", "frontier", "random")
MOST_EVENTS = 1000
"""That are told, each of them once."""


@dataclass(slots=True)
class WalkRecord:
    """What came of a walk. `discovered` has for each screen the step that came to it first."""

    screens: ScreenMap = field(default_factory=ScreenMap)
    steps: int = 0
    resets: int = 0
    discovered: list[int] = field(default_factory=list)
    events: list[str] = field(default_factory=list)

    @property
    def growth(self) -> list[int]:
        """The number of known screens after each step."""
        return [bisect_right(self.discovered, step) for step in range(1, self.steps + 1)]


@dataclass(frozen=True, slots=True)
class Taken:
    """The last step: all that was done since the last reset, the screen that it was taken from, and what
    happened in it."""

    trail: tuple[Action, ...] = ()
    origin: str = ""
    events: tuple[Event, ...] = ()


class ScreenWalk:
    """`labels`: to the action with the highest estimate of new screens a step. `frontier`: to the nearest
    untried one. `random`: any action of the screen, or a reset. Where nothing is left to try within the
    steps, it is done.
    """

    def __init__(self, driver: Driver, steps: int, way: str = "labels", seed: int = 0) -> None:
        if way not in WAYS:
            raise UntrodError(f"there is no way {way!r} to explore an app", nearest(way, WAYS))
        self._driver, self._left, self._way = driver, steps, way
        self._random = Random(seed)
        self._novelty = NoveltyEstimate()
        self._offered: tuple[Action, ...] = ()
        self._here = ""
        self._trail: list[Action] = []  # since the last reset
        self.last = Taken()
        self.found = WalkRecord()

    def run(self) -> WalkRecord:
        while self.move():
            pass
        return self.found

    def move(self) -> bool:
        """Somewhere; the first time to the start. False: there is nothing left to do."""
        screens = self.found.screens
        self.last = Taken()
        if not screens.visits:
            screen = self._driver.reset("hard")
            screens.start = screen.id
            self.last = Taken(events=screen.events)
            self._arrive(screen)
            return self._left > 0
        if not self._here:
            self._return()
        aim = self._choose() if self._left > 0 else None
        if aim is None:
            return False
        if self._move(aim):
            self.count()
        return True

    def _return(self) -> None:
        """In an application that was opened again: to where the walk was, as far as that is there."""
        trail: list[Action] = []
        screen = self._driver.reset("hard")
        for step in retake(self._driver, screen, self._trail):
            screen = step.screen
            trail.append(step.action)
            if step.outcome is StepOutcome.CRASHED:
                screen = self._driver.reset("hard")
                trail.clear()
        self.stand(screen, trail)

    def count(self) -> None:
        """A step is over."""
        self._left -= 1
        self.found.steps += 1

    def stand(self, screen: Screen, trail: list[Action]) -> None:
        """Somebody else has used the driver, and this is where that has led: no visit, and no step."""
        self._here, self._trail = screen.id, trail
        self._offered = tuple(self._driver.actions(screen))
        if screen.id not in self.found.screens.visits:
            self._arrive(screen)

    def state(self) -> dict[str, Json]:
        found = self.found
        return {
            "left": self._left,
            "trail": list(map(dump_action, self._trail)),
            "random": dump_random(self._random),
            "novelty": self._novelty.state(),
            "screens": found.screens.state(),
            **{name: getattr(found, name) for name in _COUNTED},
        }

    def load(self, state: Json) -> None:
        self._left, self._trail = state["left"], list(map(load_action, state["trail"]))
        load_random(self._random, state["random"])
        self._novelty.load(state["novelty"])
        self.found.screens.load(state["screens"])
        for name in _COUNTED:
            setattr(self.found, name, state[name])
        self._here = ""

    def _choose(self) -> Aim | None:
        screens, chance = self.found.screens, self._random.random
        if self._way == "random":
            return Aim(Label("", "", ""), 1, self._random.choice([*self._offered, None]))
        aims = screens.aims(self._here, self._left)
        if self._way == "frontier":
            return min(aims, key=lambda aim: (aim.steps, chance()), default=None)
        return max(aims, key=lambda aim: (self._novelty.of(aim.label) / aim.steps, chance()), default=None)

    def _move(self, aim: Aim) -> bool:
        """False: there was nothing to take, and the map has been put right."""
        screens, origin, action = self.found.screens, self._here, aim.first
        if action is None:
            self._reset()
            return True
        if action not in self._offered:  # the screen is not quite what it was
            screens.untried[origin].pop(action, None)
            screens.led[origin].pop(action, None)
            return False
        label = screens.untried[origin].get(action)
        step = self._driver.step(action)
        crashed = step.outcome is StepOutcome.CRASHED
        self._trail.append(step.action)
        self.last = Taken(tuple(self._trail), origin, step.screen.events)
        screens.walk(origin, action, screens.start if crashed else step.screen.id)
        new = not crashed and step.screen.id not in screens.visits
        if label is not None:
            self._novelty.learn(label, new)
        for event in step.screen.events:
            self._note(f"{action}: {event.kind} {event.text}".strip())
        if crashed:
            self._reset()
        else:
            self._arrive(step.screen)
        return True

    def _note(self, event: str) -> None:
        if len(self.found.events) < MOST_EVENTS and event not in self.found.events:
            self.found.events.append(event)

    def _reset(self) -> None:
        self.found.resets += 1
        self._trail = []
        self._arrive(self._driver.reset("soft"))

    def _arrive(self, screen: Screen) -> None:
        self._here = screen.id
        self._offered = tuple(self._driver.actions(screen))
        if self.found.screens.arrive(screen, iter(self._offered)):
            self.found.discovered.append(self.found.steps + len(self.found.discovered[:1]))


def retake(driver: Driver, screen: Screen, actions: Iterable[Action]) -> Iterator[Step]:
    """These actions from `screen` on, as they are found there today. Ends early where one cannot be taken,
    and after a crash."""
    for action in actions:
        driver.actions(screen)
        present = driver.resolve(action)
        step = driver.step(present) if present is not None else None
        if step is None or step.outcome in NOT_TAKEN:
            return
        yield step
        if step.outcome is StepOutcome.CRASHED:
            return
        screen = step.screen


_COUNTED = ("steps", "resets", "discovered", "events")
UNKNOWN = 0.5
PRIOR_TRIES = 2.0
"""How many tries the estimate before counts for."""
PRIOR_TRIES_OF_A_NAME = 0.5
"""A name that led nowhere new once will hardly do so from another screen."""


class NoveltyEstimate:
    """How likely an action leads to a new screen: a share of new screens among what was tried.

    Three estimates, each shrunk towards the one before where little is known: of actions of this type and
    role, of actions with these words, and of actions of this very name. All are of this app and this walk.
    """

    def __init__(self) -> None:
        self._tries: dict[Hashable, int] = {}
        self._news: dict[Hashable, int] = {}

    def of(self, label: Label) -> float:
        kind = self._estimate(("kind", label.type, label.role), UNKNOWN, PRIOR_TRIES)
        words = [self._estimate(("word", word), kind, PRIOR_TRIES) for word in label.words]
        return self._estimate(("name", label), fmean(words) if words else kind, PRIOR_TRIES_OF_A_NAME)

    def learn(self, label: Label, new: bool) -> None:
        keys: list[Hashable] = [("kind", label.type, label.role), ("name", label)]
        for key in [*keys, *(("word", word) for word in label.words)]:
            self._tries[key] = self._tries.get(key, 0) + 1
            self._news[key] = self._news.get(key, 0) + new

    def state(self) -> list[Json]:
        return [[dump_key(_flat(key)), tries, self._news[key]] for key, tries in self._tries.items()]

    def load(self, state: Json) -> None:
        keys = {_full(load_key(key)): (tries, news) for key, tries, news in state}
        self._tries = {key: tries for key, (tries, _) in keys.items()}
        self._news = {key: news for key, (_, news) in keys.items()}

    def _estimate(self, key: Hashable, before: float, tries: float) -> float:
        return (self._news.get(key, 0) + tries * before) / (self._tries.get(key, 0) + tries)


def _flat(key: Hashable) -> Hashable:
    """A label as the texts in it: a key of JSON."""
    match key:
        case ("name", Label() as label):
            return ("name", label.type, label.role, label.name)
    return key


def _full(key: tuple[str, ...]) -> Hashable:
    return ("name", Label(*key[1:])) if key[0] == "name" else key
