"""Random: every action that is offered is equally likely. The base of what only draws and never learns."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from untrod.core.vocabulary import Json
from untrod.drivers.protocol import Action, Screen, Step
from untrod.learn.serialise import dump_random, load_random


class Chance:
    name = "random"

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def begin(self, screen: Screen) -> None: ...

    def choose(self, actions: Sequence[Action]) -> Action:
        return self._random.choice(actions)

    def observe(self, step: Step, reward: float) -> None: ...

    def dead_end(self) -> None: ...

    def end(self) -> None: ...

    def state(self) -> Json:
        return dump_random(self._random)

    def load(self, state: Json) -> None:
        load_random(self._random, state)
