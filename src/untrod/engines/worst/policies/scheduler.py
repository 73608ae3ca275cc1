"""The scheduler of a portfolio: who is next, by what each is entitled to and what each has had.

Effort is an estimate in microseconds from what is counted, never timed: the same on every machine, so turns
repeat.

Shares follow recent pay: by how much a member raised the best cost, older pay counting less. But pay says
little when it was long ago. The search is *stale* when most of all effort lies behind the last improvement,
and the more stale it is, the more the others get, up to half of the effort between them: the one who has
found nothing yet may be the only one who can. Whoever has paid best keeps the other half. So a climber that
still climbs is not held up, and one that is stuck makes way but never stops, on a function that takes seconds
as on one that takes hours. Only in a search so long that the others' preparations are a small part of it do
they get a tenth in any case: small gains now and then must not shut them out for ever.

A turn lasts until somebody else is further below what is due to it. A run of a small function takes as long
as keeping these books, so they are kept once a turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

from untrod.core.vocabulary import Json
from untrod.engines.worst.protocol import Attempt

LOADING = 100_000.0
"""Effort: about what loading the solver takes. Before so much of it nothing is stale."""
_FORGET = 0.8
_RAISE = 0.05
"""Doublings that any improvement counts for at least: late in a search all of them are small."""
_STALE = 8.0
"""The search is stale when all effort is more than so many times what lay before the last improvement: a
climber often rests for longer than it has climbed, and then goes on."""
_LONG = 10_000_000.0
"""Effort: about ten times what practice takes. In a longer search it is affordable."""
_TENTH = 0.2
"""How stale a long search is at least; half of that is what the others get."""
_TURN = 0.02
"""Of all effort so far: no turn is longer, as shares change meanwhile."""

_RUN, _PATH, _BRANCH, _CALL = 100.0, 500.0, 50.0, 150.0
_UNIT = 0.1
"""Of the solver's own count. It is 0.05 to 0.5: comparisons of sums are cheap units, remainders dear ones."""


def estimated_micros(attempt: Attempt) -> float:
    """About the microseconds that an attempt takes on a common machine, from what is counted."""
    if attempt.branches:
        solving = _CALL * attempt.solver_calls + _UNIT * attempt.stats.solver_units
        return _PATH + _BRANCH * len(attempt.branches) + solving + attempt.micros
    return _RUN + attempt.micros


class EffortScheduler:
    """See the module's text. Members are known by their numbers; effort is in estimated microseconds."""

    def __init__(self, members: int, loading: float) -> None:
        self.spent = 0.0  # by all
        self.holder = 0
        self.left = 0.0  # of the holder's turn; not above 0: the turn is over
        self._loading = loading
        self._pay = [0.0] * members
        self._due = [0.0] * members  # effort that each is entitled to and has not had, before this turn
        self._improved = 0.0  # what all had spent at the last improvement
        self._used = 0.0  # in this turn
        self._shares: list[tuple[int, float]] = []  # of those who could do something when it began

    def charge(self, number: int) -> None:
        """This one will load the solver."""
        self._due[number] -= self._loading

    @property
    def warm(self) -> bool:
        """Has so much been spent that loading the solver is not most of it?"""
        return self.spent >= self._loading

    def begin(self, able: Sequence[int]) -> None:
        """A turn begins, of one of those who can do something now."""
        shares = self._shares_of(able)
        self.holder = holder = max(able, key=lambda number: (self._due[number], -number))
        self._shares = list(zip(able, shares, strict=True))
        rivals = [(self._due[number], share) for number, share in self._shares if number != holder]
        self.left = _TURN * self.spent
        if rivals:
            closing = 1.0 - shares[able.index(holder)] + max(share for _, share in rivals)
            gap = self._due[holder] - max(due for due, _ in rivals)
            self.left = min(self.left, gap / max(closing, _TURN))

    def spend(self, effort: float) -> None:
        """The holder did."""
        self.spent += effort
        self._used += effort
        self.left -= effort

    def end(self) -> None:
        """The turn is over, whatever was left of it."""
        for number, share in self._shares:
            self._due[number] += share * self._used
        self._due[self.holder] -= self._used
        self._used = self.left = 0.0
        self._shares = []

    def spend_besides(self, effort: float, *, improved: bool) -> None:
        """Spent by somebody who has no turns."""
        self.spent += effort
        if improved:
            self._improved = self.spent

    def reward(self, times: float) -> None:
        """The holder's attempt was so many times as costly as the best before. That ends the turn."""
        number = self.holder
        self.end()
        self._pay = [pay * _FORGET for pay in self._pay]
        self._pay[number] += _RAISE + min(1.0, log2(times))
        self._improved = self.spent

    def _shares_of(self, able: Sequence[int]) -> list[float]:
        """Together they are 1."""
        paid = sum(self._pay[number] for number in able)
        if not paid:
            return [1.0 / len(able)] * len(able)
        least = _TENTH if self.spent > _LONG else 0.0
        stale = max(least, 1.0 - _STALE * (self._improved + self._loading) / (self.spent + self._loading))
        best = max(able, key=lambda number: self._pay[number])
        others = 0.5 / max(1, len(able) - 1)
        due = [others] * len(able)
        due[able.index(best)] = 0.5 if len(able) > 1 else 1.0
        return [
            stale * share + (1.0 - stale) * self._pay[number] / paid
            for number, share in zip(able, due, strict=True)
        ]

    def state(self) -> Json:
        turn = [self.holder, self.left, self._used, [list(share) for share in self._shares]]
        return [self._pay, self._due, self.spent, self._improved, turn]

    def load(self, state: Json) -> None:
        pay, due, spent, improved, (holder, left, used, shares) = state
        if not len(pay) == len(due) == len(self._pay):
            raise ValueError("a portfolio with other members")
        self._shares = [(int(number), float(share)) for number, share in shares]
        self._pay, self._due = list(map(float, pay)), list(map(float, due))
        self.spent, self._improved = float(spent), float(improved)
        self.holder, self.left, self._used = int(holder), float(left), float(used)
