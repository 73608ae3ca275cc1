"""`auto`: several policies that share what they find, and a clock that gives time to those that pay.

A climber alone solves many functions in seconds; what it misses has irregular structure, and there a learned
policy wins; where a rule from small sizes holds, one path is enough. Nobody knows which beforehand.

Members take turns by *stride scheduling*: each has a clock that advances by the effort of its attempts
divided by its share, and the one whose clock is furthest behind is next. Shares follow recent pay: by how
much a member raised the best cost, in doublings, older pay counting less, and wearing off with the effort
that brings nothing. Effort is counted, not timed, so
the same seed gives the same turns. A member without pay keeps a small share: the one who has found nothing
yet may be the only one who can.

Practice at small sizes is effort like any other. While some still practise, the climber, who needs none,
hunts already, so a short budget is not spent on preparations. Attempts of practice come back marked so.

They seed one another. Every symbolic path is offered to the others, who add it to their trees and learn from
it; the learner follows the climber's best input branch by branch, and leaves its path where it would not
have gone. The climber goes on from the arena's best, whoever found it.

The learner among them uses a table: on insertion sort, merge sort, two string searches and a bracket parser
it needed about as many paths as the network, and about half the time to practise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log2

from untrod.core.vocabulary import Json
from untrod.engines.worst.arena import Arena, Attempt
from untrod.engines.worst.policies.base import HuntPolicy, Lesson
from untrod.engines.worst.policies.climb import Climb
from untrod.engines.worst.policies.course import Course
from untrod.engines.worst.policies.pyse import PySE, Settings
from untrod.engines.worst.policies.spf_wca import SpfWca

_MOST = 150
"""Paths of one lesson for the rule. What has more seldom has less than 400, and the hunt does not wait."""
_FLOOR = 0.1
_FORGET = 0.8
_PAY = 0.2
"""Doublings: all pay together counts in full from here on, and less below."""
_HALF_LIFE = 150_000.0
"""Effort after which a member that found nothing more has lost half of its pay."""


class Portfolio:
    """See the module's text."""

    name = "auto"

    def __init__(self, seed: int, members: Sequence[HuntPolicy] | None = None) -> None:
        usual: list[HuntPolicy] = [Climb(seed), SpfWca(seed, _MOST), PySE(seed, Settings("table"))]
        self.members = usual if members is None else list(members)
        self._pay = [0.0] * len(self.members)
        self._course = Course()
        self._size = 0
        self._begin()

    def _begin(self) -> None:
        self._clocks = [0.0] * len(self.members)
        self._now = 0.0  # the clock of who was last
        self._done = [False] * len(self.members)
        self._top = 0

    # -- sizes ------------------------------------------------------------------------------------

    def lessons(self, size: int) -> tuple[Lesson, ...]:
        """None that anybody would have to wait for: members practise while others hunt."""
        return ()

    def grow(self, size: int, *, lesson: bool = False) -> None:
        self._begin()
        self._size = size
        before = [self._course.enrolled(number) for number in range(len(self.members))]
        starts = self._course.plan(size, self.members)
        for number, member in enumerate(self.members):
            if not before[number] and not self._course.enrolled(number):
                member.grow(size)
        if starts:
            self._start_lesson()

    def _start_lesson(self) -> None:
        for number in self._course.lessons[0].left:
            self.members[number].grow(self._course.size, lesson=True)
            self._clocks[number] = self._now

    def _next_lesson(self) -> None:
        """If one has ended: those who have no other join the hunt."""
        while (ended := self._course.turn_page()) is not None:
            for number in ended.left:
                if not self._course.enrolled(number):
                    self.members[number].grow(self._size)
                    self._clocks[number] = self._now
            if self._course.lessons:
                self._start_lesson()

    # -- one step ---------------------------------------------------------------------------------

    def step(self, arena: Arena) -> Attempt | None:
        while (number := self._next()) is not None:
            practice = self._course.enrolled(number)
            attempt = self.members[number].step(arena.at(self._course.size) if practice else arena)
            if attempt is not None:
                return self._settle(number, attempt, practice)
            if practice:
                self._course.leave(number)
                self._next_lesson()
            else:
                self._done[number] = True
        return None

    def _next(self) -> int | None:
        """Who is furthest behind. Who has finished a lesson before the others waits for the next one."""
        course = self._course
        able = [
            number
            for number, done in enumerate(self._done)
            if (course.ready(number) if course.enrolled(number) else not done)
        ]
        number = min(able, key=lambda number: (self._clocks[number], number), default=None)
        if number is not None:
            self._now = max(self._now, self._clocks[number])
        return number

    def _settle(self, number: int, attempt: Attempt, practice: bool) -> Attempt:
        if not practice:
            self._credit(number, attempt)
        share, spent = _FLOOR + self._pay[number] / max(_PAY, sum(self._pay)), effort(attempt)
        self._clocks[number] += spent / share
        self._pay[number] *= 0.5 ** (spent / _HALF_LIFE)
        self._offer(attempt, number, practice)
        if practice:
            self._course.step(number)
            self._next_lesson()
            return replace(attempt, practice=True)
        return attempt

    def _credit(self, number: int, attempt: Attempt) -> None:
        if attempt.counts and attempt.cost > self._top:
            if self._top:  # whoever is first beats nobody
                self._pay = [pay * _FORGET for pay in self._pay]
                self._pay[number] = min(1.0, self._pay[number] + log2(attempt.cost / self._top))
            self._top = attempt.cost

    def _offer(self, attempt: Attempt, by: int | None, practice: bool) -> None:
        """To those who are at the same size."""
        course = self._course
        for number, member in enumerate(self.members):
            here = course.attends(number) if practice else not course.enrolled(number)
            if number != by and here:
                member.offer(attempt)

    def offer(self, attempt: Attempt) -> None:
        self._top = max(self._top, attempt.cost)
        self._offer(attempt, None, practice=False)

    # -- persistence ------------------------------------------------------------------------------

    def state(self) -> Json:
        return {
            "members": [[member.name, member.state()] for member in self.members],
            "pay": self._pay,
            "now": [self._clocks, self._done, self._top, self._now, self._size],
            "course": self._course.state(),
        }

    def load(self, state: Json) -> None:
        if [name for name, _ in state["members"]] != [member.name for member in self.members]:
            raise ValueError("a portfolio with other members")
        clocks, done, top, now, size = state["now"]
        if not len(clocks) == len(done) == len(state["pay"]) == len(self.members):
            raise ValueError("a portfolio with other members")
        self._course.load(state["course"])
        for member, (_, saved) in zip(self.members, state["members"], strict=True):
            member.load(saved)
        self._clocks, self._done = [float(clock) for clock in clocks], list(map(bool, done))
        self._top, self._now, self._size = int(top), float(now), int(size)
        self._pay = [float(pay) for pay in state["pay"]]


def effort(attempt: Attempt) -> float:
    """About the microseconds that an attempt takes on a common machine, estimated from what is counted."""
    if attempt.branches:
        solving = 300.0 * attempt.solver_calls + 2.0 * attempt.stats.solver_units
        return 1000.0 + 100.0 * len(attempt.branches) + solving
    return 100.0 + attempt.cost
