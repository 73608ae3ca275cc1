"""Whose turn is it, among the entries of a module?"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from untrod.core.vocabulary import Json

FLOOR = 0.1
FORGET = 0.98
DREAD = 0.5


class Roster:
    """An entry's share grows with what its inputs have lately found; nobody is left out."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = list(names)
        self._shares = dict.fromkeys(self._names, 1.0)
        self._dread = dict.fromkeys(self._names, 1.0)

    def choose(self, rng: Random) -> str:
        weights = [self._dread[name] * (FLOOR + self._shares[name]) for name in self._names]
        return rng.choices(self._names, weights)[0]

    def learn(self, name: str, new: int) -> None:
        if name in self._shares:
            self._shares[name] = FORGET * self._shares[name] + (1 - FORGET) * 10 * min(new, 5)

    def dread(self, name: str) -> None:
        """An input of it had to be stopped. One that sleeps costs as much as a thousand others."""
        if name in self._dread:
            self._dread[name] *= DREAD

    def state(self) -> Json:
        return [[name, share, self._dread[name]] for name, share in self._shares.items()]

    def load(self, state: Json) -> None:
        for name, share, *dread in state:
            if name in self._shares:
                self._shares[name] = float(share)
                self._dread[name] = float(*dread or (1.0,))
