"""The baseline that learns nothing: every option is equally likely, or as likely as the target says."""

from __future__ import annotations

from random import Random

from untrod.core.vocabulary import Choice, Episode, Json
from untrod.learn.serialise import dump_random, load_random


class Uniform:
    """QuickCheck's way: independent draws."""

    name = "random"
    needs_context = False

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)
        self._random = self._rng.random

    def decide(self, choice: Choice) -> int:
        if choice.weights is None:
            return int(self._random() * choice.options)
        return self._rng.choices(range(choice.options), choice.weights)[0]

    def learn(self, episode: Episode) -> None:
        pass

    def state(self) -> Json:
        return {"random": dump_random(self._rng)}

    def load(self, state: Json) -> None:
        load_random(self._rng, state["random"])
