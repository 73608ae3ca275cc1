"""Who has the next turn.

Everyone gets a first turn, in the order of the plan. From then on a bandit draws among all that have more to
give: what a turn has added, as a share of all that its task has shown so far, per turn's worth of budget.
Such shares compare across engines that count different things (branches, inputs, costs), and shrink by
themselves as a task dries up. A finding counts as much as a doubling of everything.

Before a task has paid, or when it has long not paid, what it may be hoped to give is what is left of it: of
two modules that have run dry, the one with more untaken branches is the better bet.
"""

from __future__ import annotations

from collections.abc import Sequence

from untrod.learn.bandits.rate_bandit import RateBandit, Settings
from untrod.plugins import Task

FINDING = 0.5
HOPE, LEAST_HOPE = 0.1, 0.01
"""What a turn may be hoped to add, as a share: where nobody knows what is left, and at least."""
_GROWTH, _LARGEST = 1.5, 4.0
"""Each turn of a task is longer than the one before, up to so many first turns: starting it has a price."""


class Shares:
    def __init__(self, tasks: Sequence[Task], turn: float, seed: int) -> None:
        """`turn` is the budget of a first turn, in seconds or episodes."""
        self._bandit = RateBandit([task.name for task in tasks], seed, Settings(discount=0.95))
        self._waiting = [task.name for task in tasks]
        self._open = set(self._waiting)
        self._running: set[str] = set()
        self._turn = turn
        self._turns = dict.fromkeys(self._waiting, 0)
        self._shown = dict.fromkeys(self._waiting, 0.0)
        self._hopes = dict.fromkeys(self._waiting, HOPE)

    def next(self) -> tuple[str, float] | None:
        """Whose turn it is, and how much it may spend; None when nobody waits for one."""
        fresh = [name for name in self._waiting if name in self._open]
        idle = sorted(self._open - self._running - set(fresh))
        if not fresh and not idle:
            return None
        name = fresh[0] if fresh else self._bandit.choose(idle, self._hopes)
        if fresh:
            self._waiting.remove(name)
        self._running.add(name)
        return name, self._turn * min(_LARGEST, _GROWTH ** self._turns[name])

    def over(
        self, name: str, shown: float, findings: int, spent: float, done: bool, left: float | None = None
    ) -> None:
        """A turn ended: `shown` is all that the task has shown so far, `findings` are those of this turn;
        `left` is all that it could still show, None where nobody knows."""
        self._running.discard(name)
        self._turns[name] += 1
        # All that a first turn shows is new, whatever the task: it tells nothing about the next.
        base = self._shown[name] if self._turns[name] > 1 else shown
        added = max(0.0, shown - base) / max(shown, 1.0)
        self._shown[name] = max(shown, self._shown[name])
        if left is not None:
            self._hopes[name] = max(LEAST_HOPE, left / max(shown + left, 1.0))
        self._bandit.reward(name, added + FINDING * findings, max(spent / self._turn, 0.01))
        if done:
            self._open.discard(name)
