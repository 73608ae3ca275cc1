"""`auto`: several policies that share what they find, and a clock that gives time to those that pay.

A climber alone solves many functions in seconds; what it misses has irregular structure, and there a learned
policy wins; where a rule from small sizes holds, one path is enough. Nobody knows which beforehand.

Each member is entitled to a share of the effort, which follows what it has found (`clock.py`), and whoever is
furthest below what is due to it is next. Effort is counted, not timed: the same seed gives the same turns.
Loading the solver is effort too, charged in advance.

One symbolic path early on may say more than all climbing. So a scout walks the two that need no practice
(`straight.py`), piece by piece, and is kept short as long as its pieces bring nothing.

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

from untrod.core.vocabulary import Json
from untrod.engines.worst.arena import Arena, Attempt
from untrod.engines.worst.policies.base import HuntPolicy, Lesson
from untrod.engines.worst.policies.climb import Climb
from untrod.engines.worst.policies.clock import LOADING, Clock
from untrod.engines.worst.policies.course import Course
from untrod.engines.worst.policies.effort import effort
from untrod.engines.worst.policies.pyse import PySE, Settings
from untrod.engines.worst.policies.spf_wca import SpfWca
from untrod.engines.worst.policies.straight import Straight

_MOST = 150
"""Paths of one lesson for the rule. What has more seldom has less than 400, and the hunt does not wait."""


class Portfolio:
    """See the module's text."""

    name = "auto"

    def __init__(
        self, seed: int, members: Sequence[HuntPolicy] | None = None, loading: float = LOADING
    ) -> None:
        usual: list[HuntPolicy] = [Climb(seed), SpfWca(seed, _MOST), PySE(seed, Settings("table"))]
        self.members = usual if members is None else list(members)
        self._scout = Straight() if members is None else None
        self._clock = Clock(len(self.members), loading)
        self._tried: set[tuple[int, int]] = set()  # size, and the number of who has had a turn there
        self._course = Course()
        self._size = 0
        self._begin()

    def _begin(self) -> None:
        self._done = [False] * len(self.members)
        self._top = 0
        self._clock.end()
        self._audience: list[HuntPolicy] = []  # those who hear of what the holder of this turn finds

    @property
    def learning(self) -> bool:
        """Somebody practises, or has not had a turn at this size: it is too early to conclude anything."""
        new = (not done and (self._size, number) not in self._tried for number, done in enumerate(self._done))
        return bool(self._course.lessons) or any(new)

    # -- sizes ------------------------------------------------------------------------------------

    def lessons(self, size: int) -> tuple[Lesson, ...]:
        """None that anybody would have to wait for: members practise while others hunt."""
        return ()

    def grow(self, size: int, *, lesson: bool = False) -> None:
        self._begin()
        self._size = size
        if self._scout is not None:
            self._scout.grow(size)
        starts = self._course.plan(size, self.members)
        for number, member in enumerate(self.members):
            if not self._course.enrolled(number):
                member.grow(size)
        if starts:
            if not self._clock.spent:
                for number in self._course.lessons[0].left:
                    self._clock.charge(number)
            self._start_lesson()

    def _start_lesson(self) -> None:
        for number in self._course.lessons[0].left:
            self.members[number].grow(self._course.size, lesson=True)

    def _next_lesson(self) -> None:
        """If one has ended. Those who want no others join the hunt: what they want may have changed."""
        course = self._course
        students = [number for number in range(len(self.members)) if course.enrolled(number)]
        while course.turn_page():
            if course.lessons:
                self._start_lesson()
                course.plan(self._size, self.members)
        for number in students:
            if not course.enrolled(number):
                self.members[number].grow(self._size)

    def _leave(self, number: int) -> None:
        """Nothing left to try in this lesson. Who has no other need not wait for those who go on with it."""
        if self._course.leave(number):
            self.members[number].grow(self._size)
        self._next_lesson()

    # -- one step ---------------------------------------------------------------------------------

    def step(self, arena: Arena) -> Attempt | None:
        clock = self._clock
        while True:
            if clock.left <= 0.0:
                clock.end()
                scouted = self._scouted(arena)
                if scouted is not None:
                    return scouted
                able = self._able()
                if not able:
                    return None
                clock.begin(able)
                self._audience = self._hearers(clock.holder)
            if self._course.enrolled(clock.holder):
                attempt = self._practised(clock.holder, arena)
            else:
                attempt = self._hunted(clock.holder, arena)
            if attempt is not None:
                return attempt
            clock.end()

    def _practised(self, number: int, arena: Arena) -> Attempt | None:
        """None: nothing left to try in this lesson."""
        attempt = self.members[number].step(arena.at(self._course.size))
        if attempt is None:
            self._leave(number)
            return None
        self._clock.spend(effort(attempt))
        self._clock.end()  # whoever is able may have changed
        for member in self._audience:
            member.offer(attempt)
        self._course.step(number)
        self._next_lesson()
        return replace(attempt, practice=True)

    def _hunted(self, number: int, arena: Arena) -> Attempt | None:
        """None: nothing left to try at this size."""
        attempt = self.members[number].step(arena)
        if attempt is None:
            self._done[number] = True
            return None
        self._clock.spend(effort(attempt))
        for member in self._audience:
            member.offer(attempt)
        self._tried.add((self._size, number))
        before = self._top
        if self._raises(attempt) and before:  # whoever is first beats nobody
            self._clock.reward(attempt.cost / before)
        return attempt

    def _raises(self, attempt: Attempt) -> bool:
        """Is it the best so far? It is noted."""
        if attempt.cost <= self._top or not attempt.counts:
            return False
        self._top = attempt.cost
        return True

    def _scouted(self, arena: Arena) -> Attempt | None:
        scout, clock = self._scout, self._clock
        attempt = scout.step(arena) if scout and clock.warm and scout.due(clock.spent) else None
        if attempt is not None:
            clock.scouted(effort(attempt), improved=self._raises(attempt))
            if not attempt.cut:  # to a tree, the end of a piece would be the end of its path
                self.offer(attempt)
        return attempt

    def _able(self) -> list[int]:
        """Those who can do something now. Who has finished a lesson before the others waits for the next."""
        course = self._course
        return [
            number
            for number, done in enumerate(self._done)
            if (course.ready(number) if course.enrolled(number) else not done)
        ]

    def _hearers(self, by: int | None) -> list[HuntPolicy]:
        """Those who are at the same size as this member; None stands for the size of the hunt."""
        course = self._course
        practice = by is not None and course.enrolled(by)
        return [
            member
            for number, member in enumerate(self.members)
            if number != by and (course.attends(number) if practice else not course.enrolled(number))
        ]

    def offer(self, attempt: Attempt) -> None:
        self._top = max(self._top, attempt.cost)
        for member in self._hearers(None):
            member.offer(attempt)

    # -- persistence ------------------------------------------------------------------------------

    def state(self) -> Json:
        return {
            "members": [[member.name, member.state()] for member in self.members],
            "clock": self._clock.state(),
            "now": [self._done, self._top, self._size],
            "tried": sorted(self._tried),
            "course": self._course.state(),
            "scout": None if self._scout is None else self._scout.state(),
        }

    def load(self, state: Json) -> None:
        if [name for name, _ in state["members"]] != [member.name for member in self.members]:
            raise ValueError("a portfolio with other members")
        done, top, size = state["now"]
        tried = {(int(known), int(number)) for known, number in state["tried"]}
        self._course.load(state["course"])
        if self._scout is not None:
            self._scout.load(state["scout"])
        for member, (_, saved) in zip(self.members, state["members"], strict=True):
            member.load(saved)
        self._clock.load(state["clock"])
        self._tried, self._done = tried, list(map(bool, done))
        self._top, self._size = int(top), int(size)
        self._audience = self._hearers(self._clock.holder)
