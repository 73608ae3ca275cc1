"""What dear arms may spend: a share that is free, and more while they find more than the cheap ones do.

The longer the cheap ones have found nothing, the less there is to lose, and the larger is what is free: finds
become rarer in proportion to the time spent, so who was dry for nine tenths of it will hardly find more.
"""

from __future__ import annotations

from bisect import bisect_left

from untrod.core.vocabulary import Json

FREE, MOST = 0.05, 0.4
"""Shares of everything that is spent."""


class Purse:
    """Costs are in turns, gains in branches."""

    def __init__(self, free: float = FREE, most: float = MOST) -> None:
        self._free = free
        self._most = most
        self._books = {False: _Book(), True: _Book()}

    @property
    def allows(self) -> bool:
        """May a dear arm have the next turn?"""
        cheap, dear = self._books[False], self._books[True]
        dry = max(0.0, 2 * cheap.dry - 1)
        share = 1.0 if dear.rate > cheap.rate else dry
        return dear.spent <= (self._free + share * (self._most - self._free)) * (cheap.spent + dear.spent)

    def pay(self, dear: bool, cost: float, gain: int) -> None:
        """A turn is over."""
        self._books[dear].pay(cost, gain)

    def state(self) -> Json:
        return [[book.spent, book.finds] for book in self._books.values()]

    def load(self, state: Json) -> None:
        books = [_Book(float(spent), [*map(float, finds)]) for spent, finds in state]
        self._books = dict(zip((False, True), books, strict=True))


class _Book:
    def __init__(self, spent: float = 0.0, finds: list[float] | None = None) -> None:
        self.spent = spent
        self.finds = finds or []  # what had been spent by then, for each branch

    def pay(self, cost: float, gain: int) -> None:
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
