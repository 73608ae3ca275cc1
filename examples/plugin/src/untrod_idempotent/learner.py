"""A learner for `untrod inputs --learner loyal`: what was valid last is chosen again, now and then."""

from __future__ import annotations

from collections.abc import Hashable
from random import Random
from typing import Any

from untrod.core.vocabulary import Choice, Episode, Outcome

LOYALTY = 0.5


class Loyal:
    name = "loyal"
    needs_context = False

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._liked: dict[Hashable, int] = {}
        self._chosen: list[tuple[Hashable, int]] = []

    def decide(self, choice: Choice) -> int:
        site = str(choice.site)
        liked = self._liked.get(site, choice.options)
        loyal = liked < choice.options and self._random.random() < LOYALTY
        option = liked if loyal else self._random.randrange(choice.options)
        self._chosen.append((site, option))
        return option

    def learn(self, episode: Episode) -> None:
        if episode.outcome is Outcome.VALID:
            self._liked.update(self._chosen)
        self._chosen.clear()

    def state(self) -> Any:
        version, numbers, gauss = self._random.getstate()
        return {"random": [version, list(numbers), gauss], "liked": self._liked}

    def load(self, state: Any) -> None:
        version, numbers, gauss = state["random"]
        self._random.setstate((version, tuple(numbers), gauss))
        self._liked = dict(state["liked"])
