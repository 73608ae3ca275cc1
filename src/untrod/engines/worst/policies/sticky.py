"""Sticky exploration: what is tried out is the same for a whole path.

Noise at every branch does not find what takes ten equal decisions in a row. A sticky rule does: it makes some
branches go one way for a whole path, or that way k times in a row and then once the other: "match nine
characters, miss the tenth". Rules that led to costly paths are kept and varied: one more, one less, twice as
many, another branch as well. They mean the same at every size, so the good ones are tried again when the size
grows. And a rule whose path comes to a branch that was not met before at this size has opened a door,
whatever it cost: both sides of that branch are tried next, together with the rule.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from untrod.core.vocabulary import Json
from untrod.learn.pyse.branch_q import Key

StickySide = tuple[bool, int]
"""A side, and how often in a row before the other has its turn; 0: always."""
StickyRule = dict[int, StickySide]
"""Site -> sticky side. Branches that have none go as the policy wants."""

_KEPT = 6
_DOORS = 4
_LONGEST = 64
_PLAIN = 12
"""Code with more branches than this is not tried out branch by branch."""


def sticky_side(sticky: StickySide, key: Key) -> bool:
    """Which side a branch that sticks to one takes in this state."""
    side, turns = sticky
    _, way, _, run = key[:4]
    if not turns or way != 1 + side or run < turns:
        return side
    return not side


class StickyExploration:
    """Draws rules, and remembers those that paid."""

    def __init__(self) -> None:
        self._kept: list[tuple[int, StickyRule]] = []  # the costliest first
        self._again: list[StickyRule] = []
        self._plain = 0  # of so many sites the simplest rules have been drawn
        self._met: set[int] = set()

    def draw(self, sites: int, rng: Random) -> StickyRule:
        """What was good at the last size; then the simplest; then what is like the best so far, or new."""
        if not self._again and self._plain < min(sites, _PLAIN):
            self._again = _simplest(self._plain, sites)
            self._plain = sites
        if self._again:
            return self._again.pop()
        if self._kept and rng.random() < 0.6:
            better = min(rng.randrange(len(self._kept)), rng.randrange(len(self._kept)))
            return self._varied(self._kept[better][1], sites, rng)
        rule = {rng.randrange(sites): _sticky(rng)}
        while rng.random() < 0.4:
            rule[rng.randrange(sites)] = _sticky(rng)
        return rule

    def note(self, rule: StickyRule, cost: int, sites: Iterable[int]) -> None:
        """A path through these sites had this cost; the rule was empty if the policy had its way."""
        doors = sorted(set(sites) - self._met)
        self._met.update(doors)
        if not rule:
            return
        for site in doors[:_DOORS]:
            if site not in rule:
                self._again += [{**rule, site: (True, 0)}, {**rule, site: (False, 0)}]
        if all(other != rule for _, other in self._kept):
            self._kept.append((cost, rule))
            self._kept.sort(key=lambda entry: -entry[0])
            del self._kept[_KEPT:]

    def grow(self) -> None:
        """Another size: what was good is tried again, the best first."""
        self._again = [rule for _, rule in reversed(self._kept)]
        self._kept, self._plain, self._met = [], 0, set()

    def _varied(self, rule: StickyRule, sites: int, rng: Random) -> StickyRule:
        varied = dict(rule)
        chance = rng.random()
        if chance < 0.3 or not varied:
            varied[rng.randrange(sites)] = _sticky(rng)
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
        kept = [[cost, _dump(rule)] for cost, rule in self._kept]
        return [kept, [_dump(rule) for rule in self._again], self._plain, sorted(self._met)]

    def load(self, state: Json) -> None:
        kept, again, plain, met = state
        self._plain, self._met = int(plain), {int(site) for site in met}
        self._kept = [(int(cost), _load(rule)) for cost, rule in kept]
        self._again = [_load(rule) for rule in again]


def _simplest(known: int, sites: int) -> list[StickyRule]:
    """All branches one way; one of those not known before one way. They are taken from the end."""
    single: list[StickyRule] = [{site: (side, 0)} for site in range(known, sites) for side in (False, True)]
    together: list[StickyRule] = [dict.fromkeys(range(sites), (side, 0)) for side in (False, True)]
    return single + together


def _sticky(rng: Random) -> StickySide:
    return rng.random() < 0.5, 0 if rng.random() < 0.4 else int(2 ** (6 * rng.random()))


def _dump(rule: StickyRule) -> Json:
    return [[site, side, turns] for site, (side, turns) in rule.items()]


def _load(body: Json) -> StickyRule:
    return {int(site): (bool(side), int(turns)) for site, side, turns in body}
