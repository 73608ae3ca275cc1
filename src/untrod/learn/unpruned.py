"""One round, nothing dropped: symbolic execution as it was."""

from __future__ import annotations

from untrod.learn.pruning import RoundPlan
from untrod.learn.restarts import Restarts


class Unpruned(Restarts):
    """Its round has no length: it lasts as long as the budget."""

    name = "none"

    def begin_round(self) -> RoundPlan:
        plan = RoundPlan(self._rounds, None, self.name)
        self._rounds += 1
        return plan
