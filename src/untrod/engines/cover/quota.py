"""The solver quota: what expensive arms may spend.

A share is free, and there is more while they find more than the cheap ones do. The longer the cheap ones have
found nothing, the less there is to lose, and the larger is what is free: finds become rarer in proportion to
the time spent, so arms that found nothing for nine tenths of it will hardly find more.
"""

from __future__ import annotations

from bisect import bisect_left

from untrod.core.vocabulary import Json

FREE, MOST = 0.05, 0.4
"""Shares of everything that is spent."""


class SolverQuota:
    """Costs are in turns, gains in branches."""

    def __init__(self, free: float = FREE, most: float = MOST) -> None:
        self._free = free
        self._most = most
        self._accounts = {False: _Account(), True: _Account()}

    @property
    def allows(self) -> bool:
        """May an expensive arm have the next turn?"""
        cheap, expensive = self._accounts[False], self._accounts[True]
        dry = max(0.0, 2 * cheap.dry - 1)
        share = 1.0 if expensive.rate > cheap.rate else dry
        allowed = (self._free + share * (self._most - self._free)) * (cheap.spent + expensive.spent)
        return expensive.spent <= allowed

    def spend(self, expensive: bool, cost: float, gain: int) -> None:
        """A turn is over."""
        self._accounts[expensive].spend(cost, gain)

    def state(self) -> Json:
        return [[account.spent, account.finds] for account in self._accounts.values()]

    def load(self, state: Json) -> None:
        accounts = [_Account(float(spent), [*map(float, finds)]) for spent, finds in state]
        self._accounts = dict(zip((False, True), accounts, strict=True))


class _Account:
    def __init__(self, spent: float = 0.0, finds: list[float] | None = None) -> None:
        self.spent = spent
        self.finds = finds or []  # what had been spent by then, for each branch

    def spend(self, cost: float, gain: int) -> None:
        self.spent += cost
        self.finds += [self.spent] * gain

    @property
    def dry(self) -> float:
        """The share of the time since the last find; 0 where nothing was spent yet."""
        return 1 - (self.finds[-1] if self.finds else 0.0) / self.spent if self.spent else 0.0

    @property
    def rate(self) -> float:
        """Of the later half: finds become rarer, and what was easy says nothing about what is left."""
        half = self.spent / 2
        return (len(self.finds) - bisect_left(self.finds, half)) / half if half else 0.0
