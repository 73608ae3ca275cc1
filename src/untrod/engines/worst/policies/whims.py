"""Whims: exploration that is consistent for a whole path.

Noise at every branch does not find what takes ten equal decisions in a row. A whim does: it makes some
branches go one way for a whole path, or that way k times in a row and then once the other: "match nine
characters, miss the tenth". Whims that led to costly paths are kept and varied: one more, one less, twice as
many, another branch as well. They mean the same at every size, so the good ones are tried again when the size
grows.
"""

from __future__ import annotations

from random import Random

from untrod.core.vocabulary import Json
from untrod.learn.branch_q import Key

Habit = tuple[bool, int]
"""A side, and how often in a row before the other has its turn; 0: always."""
Whim = dict[int, Habit]
"""Site -> habit. Branches that have none go as the policy wants."""

_KEPT = 6
_LONGEST = 64


def obey(habit: Habit, key: Key) -> bool:
    """What a branch with this habit does in this state."""
    side, turns = habit
    _, way, _, run = key[:4]
    if not turns or way != 1 + side or run < turns:
        return side
    return not side


class Whims:
    """Draws whims, and remembers those that paid."""

    def __init__(self) -> None:
        self._kept: list[tuple[int, Whim]] = []  # the costliest first
        self._again: list[Whim] = []

    def draw(self, sites: int, rng: Random) -> Whim:
        """Something that was good at the last size, something like what is good at this one, or a new one."""
        if self._again:
            return self._again.pop()
        if self._kept and rng.random() < 0.6:
            return self._varied(self._kept[rng.randrange(len(self._kept))][1], sites, rng)
        whim = {rng.randrange(sites): _habit(rng)}
        while rng.random() < 0.4:
            whim[rng.randrange(sites)] = _habit(rng)
        return whim

    def note(self, whim: Whim, cost: int) -> None:
        """A path with this whim had this cost."""
        if all(other != whim for _, other in self._kept):
            self._kept.append((cost, whim))
            self._kept.sort(key=lambda entry: -entry[0])
            del self._kept[_KEPT:]

    def grow(self) -> None:
        """Another size: what was good is tried again, the best first."""
        self._again = [whim for _, whim in reversed(self._kept)]
        self._kept = []

    def _varied(self, whim: Whim, sites: int, rng: Random) -> Whim:
        varied = dict(whim)
        chance = rng.random()
        if chance < 0.3 or not varied:
            varied[rng.randrange(sites)] = _habit(rng)
            return varied
        site = rng.choice(sorted(varied))
        side, turns = varied[site]
        if chance < 0.45 and len(varied) > 1:
            del varied[site]
        elif chance < 0.6:
            varied[site] = (not side, turns)
        else:
            change = rng.choice((turns + 1, turns - 1, 2 * turns, turns // 2, turns + 2, turns - 2))
            varied[site] = (side, max(0, min(_LONGEST, change)))
        return varied

    def state(self) -> Json:
        return [[[cost, _dump(whim)] for cost, whim in self._kept], [_dump(whim) for whim in self._again]]

    def load(self, state: Json) -> None:
        kept, again = state
        self._kept, self._again = (
            [(int(cost), _load(whim)) for cost, whim in kept],
            [_load(whim) for whim in again],
        )


def _habit(rng: Random) -> Habit:
    return rng.random() < 0.5, 0 if rng.random() < 0.4 else int(2 ** (6 * rng.random()))


def _dump(whim: Whim) -> Json:
    return [[site, side, turns] for site, (side, turns) in whim.items()]


def _load(body: Json) -> Whim:
    return {int(site): (bool(side), int(turns)) for site, side, turns in body}
