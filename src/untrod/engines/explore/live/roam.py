"""A walk through a running app, under a budget of steps. A reset is a step, too."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from untrod.core.errors import UntrodError
from untrod.drivers.protocol import Action, Driver, Screen, StepOutcome
from untrod.engines.explore.live.atlas import Aim, Atlas, Label
from untrod.engines.explore.live.promise import Promise

WAYS = ("labels", "frontier", "random")
MOST_EVENTS = 1000
"""That are told, each of them once."""


@dataclass(slots=True)
class Found:
    """What came of a walk. `growth` has the number of known screens after each step."""

    atlas: Atlas = field(default_factory=Atlas)
    steps: int = 0
    resets: int = 0
    growth: list[int] = field(default_factory=list)
    events: list[str] = field(default_factory=list)


class Roam:
    """`labels`: to the action that promises most new screens a step. `frontier`: to the nearest untried one.
    `random`: any action of the screen, or a reset. Where nothing is left to try within the steps, it is done.
    """

    def __init__(self, driver: Driver, steps: int, way: str = "labels", seed: int = 0) -> None:
        if way not in WAYS:
            raise UntrodError(f"there is no way {way!r} to explore an app", f"choose from {', '.join(WAYS)}")
        self._driver, self._left, self._way = driver, steps, way
        self._random = Random(seed)
        self._promise = Promise()
        self._offered: tuple[Action, ...] = ()
        self._here = ""
        self.found = Found()

    def run(self) -> Found:
        while self.move():
            pass
        return self.found

    def move(self) -> bool:
        """Somewhere; the first time to the start. False: there is nothing left to do."""
        atlas = self.found.atlas
        if not atlas.visits:
            screen = self._driver.reset("hard")
            atlas.start = screen.id
            self._arrive(screen)
            return self._left > 0
        aim = self._choose() if self._left > 0 else None
        if aim is None:
            return False
        if self._move(aim):
            self._left -= 1
            self.found.steps += 1
            self.found.growth.append(len(atlas.visits))
        return True

    def _choose(self) -> Aim | None:
        atlas, chance = self.found.atlas, self._random.random
        if self._way == "random":
            return Aim(Label("", "", ""), 1, self._random.choice([*self._offered, None]))
        aims = atlas.aims(self._here, self._left)
        if self._way == "frontier":
            return min(aims, key=lambda aim: (aim.steps, chance()), default=None)
        return max(aims, key=lambda aim: (self._promise.of(aim.label) / aim.steps, chance()), default=None)

    def _move(self, aim: Aim) -> bool:
        """False: there was nothing to take, and the atlas has been put right."""
        atlas, origin, action = self.found.atlas, self._here, aim.first
        if action is None:
            self._reset()
            return True
        if action not in self._offered:  # the screen is not quite what it was
            atlas.untried[origin].pop(action, None)
            atlas.led[origin].pop(action, None)
            return False
        label = atlas.untried[origin].get(action)
        step = self._driver.step(action)
        crashed = step.outcome is StepOutcome.CRASHED
        atlas.walk(origin, action, atlas.start if crashed else step.screen.id)
        new = not crashed and step.screen.id not in atlas.visits
        if label is not None:
            self._promise.learn(label, new)
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
        self._arrive(self._driver.reset("soft"))

    def _arrive(self, screen: Screen) -> None:
        self._here = screen.id
        self._offered = tuple(self._driver.actions(screen))
        self.found.atlas.arrive(screen, iter(self._offered))
