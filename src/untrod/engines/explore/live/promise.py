"""How likely an action leads to a screen that nobody has seen, by what it is called.

Three estimates, each leaning on the one before where little is known: of actions of this type and role, of
actions with these words, and of actions of this very name. All are shares of new screens among what was
tried, in this app and in this walk.
"""

from __future__ import annotations

from collections.abc import Hashable
from statistics import fmean

from untrod.engines.explore.live.atlas import Label

UNKNOWN = 0.5
LEAN = 2.0
"""How many tries the estimate before counts for."""
LEAN_ON_WORDS = 0.5
"""A name that led nowhere new once will hardly do so from another screen."""


class Promise:
    def __init__(self) -> None:
        self._tries: dict[Hashable, int] = {}
        self._news: dict[Hashable, int] = {}

    def of(self, label: Label) -> float:
        kind = self._estimate(("kind", label.type, label.role), UNKNOWN, LEAN)
        words = [self._estimate(("word", word), kind, LEAN) for word in label.words]
        return self._estimate(("name", label), fmean(words) if words else kind, LEAN_ON_WORDS)

    def learn(self, label: Label, new: bool) -> None:
        keys: list[Hashable] = [("kind", label.type, label.role), ("name", label)]
        for key in [*keys, *(("word", word) for word in label.words)]:
            self._tries[key] = self._tries.get(key, 0) + 1
            self._news[key] = self._news.get(key, 0) + new

    def _estimate(self, key: Hashable, before: float, lean: float) -> float:
        return (self._news.get(key, 0) + lean * before) / (self._tries.get(key, 0) + lean)
