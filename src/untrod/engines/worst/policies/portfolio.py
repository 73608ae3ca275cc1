"""`auto`: several policies that share what they find, and a clock that gives time to those that pay.

A climber alone solves many functions in seconds; what it misses has irregular structure, and there a learned
policy wins; where a rule from small sizes holds, one path is enough. Nobody knows which beforehand.

Members take turns by *stride scheduling*: each has a clock that advances by the effort of its attempts
divided by its share, and the one whose clock is furthest behind is next. Shares follow recent pay: by how
much a member raised the best cost, in doublings, older pay counting less. Effort is counted, not timed, so
the same seed gives the same turns. A member without pay keeps a small share: the one who has found nothing
yet may be the only one who can.

They seed one another. Every symbolic path is offered to the others, who add it to their trees and learn from
it; the learner follows the climber's best input branch by branch, and leaves its path where it would not
have gone. The climber goes on from the arena's best, whoever found it.

The learner among them uses a table: on insertion sort, merge sort, two string searches and a bracket parser
it needed about as many paths as the network, and about half the time to practise.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

from untrod.core.vocabulary import Json
from untrod.engines.worst.arena import Arena, Attempt
from untrod.engines.worst.policies.base import HuntPolicy, Lesson
from untrod.engines.worst.policies.climb import Climb
from untrod.engines.worst.policies.pyse import PySE, Settings
from untrod.engines.worst.policies.spf_wca import SpfWca

_FLOOR = 0.1
_FORGET = 0.8


class Portfolio:
    """See the module's text."""

    name = "auto"

    def __init__(self, seed: int, members: Sequence[HuntPolicy] | None = None) -> None:
        usual: list[HuntPolicy] = [SpfWca(seed), PySE(seed, Settings("table")), Climb(seed)]
        self.members = usual if members is None else list(members)
        self._pay = [0.0] * len(self.members)
        self._begin()
        self._lessons: dict[int, list[int]] = {}
        self._quota: list[int] | None = None

    def _begin(self) -> None:
        self._clocks = [0.0] * len(self.members)
        self._done = [False] * len(self.members)
        self._top = 0

    # -- sizes ------------------------------------------------------------------------------------

    def lessons(self, size: int) -> tuple[Lesson, ...]:
        """All that the members want, one after the other within a size."""
        self._lessons = {}
        for number, member in enumerate(self.members):
            for lesson in member.lessons(size):
                quota = self._lessons.setdefault(lesson.size, [0] * len(self.members))
                quota[number] = lesson.steps
        return tuple(Lesson(small, sum(self._lessons[small])) for small in sorted(self._lessons))

    def grow(self, size: int, *, lesson: bool = False) -> None:
        self._begin()
        self._quota = list(self._lessons.get(size, ())) if lesson else None
        for member in self.members:
            member.grow(size, lesson=lesson)

    # -- one step ---------------------------------------------------------------------------------

    def step(self, arena: Arena) -> Attempt | None:
        while (number := self._next()) is not None:
            attempt = self.members[number].step(arena)
            if attempt is None:
                self._done[number] = True
                continue
            self._settle(number, attempt)
            for other, member in enumerate(self.members):
                if other != number:
                    member.offer(attempt)
            return attempt
        return None

    def _next(self) -> int | None:
        able = [number for number in range(len(self.members)) if not self._done[number]]
        if self._quota is not None:  # practice: in order, each as long as it wants
            return next((number for number in able if self._quota[number]), None)
        return min(able, key=lambda number: (self._clocks[number], number), default=None)

    def _settle(self, number: int, attempt: Attempt) -> None:
        if self._quota is not None:
            self._quota[number] -= 1
            return
        if attempt.counts and attempt.cost > self._top:
            if self._top:  # whoever is first beats nobody
                self._pay = [pay * _FORGET for pay in self._pay]
                self._pay[number] += log2(attempt.cost / self._top)
            self._top = attempt.cost
        share = _FLOOR + self._pay[number] / (sum(self._pay) or 1.0)
        self._clocks[number] += effort(attempt) / share

    def offer(self, attempt: Attempt) -> None:
        self._top = max(self._top, attempt.cost)
        for member in self.members:
            member.offer(attempt)

    # -- persistence ------------------------------------------------------------------------------

    def state(self) -> Json:
        return {
            "members": [[member.name, member.state()] for member in self.members],
            "pay": self._pay,
            "now": [self._clocks, self._done, self._top],
            "lessons": [self._quota, [[size, quota] for size, quota in self._lessons.items()]],
        }

    def load(self, state: Json) -> None:
        if [name for name, _ in state["members"]] != [member.name for member in self.members]:
            raise ValueError("a portfolio with other members")
        clocks, done, top = state["now"]
        quota, lessons = state["lessons"]
        if not len(clocks) == len(done) == len(state["pay"]) == len(self.members):
            raise ValueError("a portfolio with other members")
        for member, (_, saved) in zip(self.members, state["members"], strict=True):
            member.load(saved)
        self._clocks, self._done, self._top = (
            [float(clock) for clock in clocks],
            list(map(bool, done)),
            int(top),
        )
        self._pay = [float(pay) for pay in state["pay"]]
        self._quota = None if quota is None else [int(steps) for steps in quota]
        self._lessons = {int(size): [int(steps) for steps in steps_of] for size, steps_of in lessons}


def effort(attempt: Attempt) -> float:
    """About the microseconds that an attempt takes on a common machine, estimated from what is counted."""
    if attempt.branches:
        return 1000.0 + 100.0 * len(attempt.branches) + 500.0 * attempt.solver_calls
    return 100.0 + 0.5 * attempt.cost
