"""`auto`: several policies that share what they find, and a clock that gives time to those that pay.

A climber alone solves many functions in seconds; what it misses has irregular structure, and there a learned
policy wins; where a rule from small sizes holds, one path is enough. Nobody knows which beforehand.

Each member is entitled to a share of the effort, and whoever is furthest below what is due to it is next.
Shares follow recent pay: by how much a member raised the best cost, older pay counting less. But pay says
little when it was long ago. The hunt is *stale* when more than half of all effort lies behind the last
improvement, and the more stale it is, the more the others get, up to half of the effort between them: the
one who has found nothing yet may be the only one who can. Whoever has paid best keeps the other half. So a
climber that still climbs is not held up, and one that is stuck makes way but never stops, on a function that
takes seconds as on one that takes hours. Only in a hunt so long that the others' preparations are a small
part of it do they get a tenth in any case: small gains now and then must not shut them out for ever. Effort
is counted, not timed: the same seed gives the same turns. Loading the solver is effort too, charged in
advance.

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
_FORGET = 0.8
_RAISE = 0.05
"""Doublings that any improvement counts for at least: late in a hunt all of them are small."""
_LOADING = 100_000.0
"""Effort: about what loading the solver takes. Before so much of it nothing is stale."""

_LONG = 10_000_000.0
"""Effort: about ten times what practice takes. In a longer hunt it is affordable."""
_TENTH = 0.2
"""How stale a long hunt is at least; half of that is what the others get."""


class Portfolio:
    """See the module's text."""

    name = "auto"

    def __init__(
        self, seed: int, members: Sequence[HuntPolicy] | None = None, loading: float = _LOADING
    ) -> None:
        usual: list[HuntPolicy] = [Climb(seed), SpfWca(seed, _MOST), PySE(seed, Settings("table"))]
        self.members = usual if members is None else list(members)
        self._loading = loading
        self._pay = [0.0] * len(self.members)
        self._due = [0.0] * len(self.members)  # effort that each is entitled to and has not had
        self._spent = self._improved = 0.0  # all effort; what of it lay before the last improvement
        self._tried: set[tuple[int, int]] = set()  # size, and the number of who has had a turn there
        self._course = Course()
        self._size = 0
        self._begin()

    def _begin(self) -> None:
        self._done = [False] * len(self.members)
        self._top = 0

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
        starts = self._course.plan(size, self.members)
        for number, member in enumerate(self.members):
            if not self._course.enrolled(number):
                member.grow(size)
        if starts:
            if not self._spent:
                for number in self._course.lessons[0].left:
                    self._due[number] = -self._loading
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
        while able := self._able():
            number = max(able, key=lambda number: (self._due[number], -number))
            practice = self._course.enrolled(number)
            attempt = self.members[number].step(arena.at(self._course.size) if practice else arena)
            if attempt is not None:
                return self._settle(number, attempt, practice, able)
            if practice:
                self._leave(number)
            else:
                self._done[number] = True
        return None

    def _able(self) -> list[int]:
        """Those who can do something now. Who has finished a lesson before the others waits for the next."""
        course = self._course
        return [
            number
            for number, done in enumerate(self._done)
            if (course.ready(number) if course.enrolled(number) else not done)
        ]

    def _settle(self, number: int, attempt: Attempt, practice: bool, able: Sequence[int]) -> Attempt:
        spent = effort(attempt)
        for entitled, share in zip(able, self._shares(able), strict=True):
            self._due[entitled] += share * spent
        self._due[number] -= spent
        self._spent += spent
        self._offer(attempt, number, practice)
        if practice:
            self._course.step(number)
            self._next_lesson()
            return replace(attempt, practice=True)
        self._tried.add((self._size, number))
        self._credit(number, attempt)
        return attempt

    def _shares(self, able: Sequence[int]) -> list[float]:
        """Of those who can do something now; together they are 1."""
        paid = sum(self._pay[number] for number in able)
        if not paid:
            return [1.0 / len(able)] * len(able)
        least = _TENTH if self._spent > _LONG else 0.0
        stale = max(least, 1.0 - 2.0 * (self._improved + self._loading) / (self._spent + self._loading))
        best = max(able, key=lambda number: self._pay[number])
        others = 0.5 / max(1, len(able) - 1)
        due = [others] * len(able)
        due[able.index(best)] = 0.5 if len(able) > 1 else 1.0
        return [
            stale * share + (1.0 - stale) * self._pay[number] / paid
            for number, share in zip(able, due, strict=True)
        ]

    def _credit(self, number: int, attempt: Attempt) -> None:
        if attempt.counts and attempt.cost > self._top:
            if self._top:  # whoever is first beats nobody
                self._pay = [pay * _FORGET for pay in self._pay]
                self._pay[number] += _RAISE + min(1.0, log2(attempt.cost / self._top))
                self._improved = self._spent
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
            "effort": [self._pay, self._due, self._spent, self._improved],
            "now": [self._done, self._top, self._size],
            "tried": sorted(self._tried),
            "course": self._course.state(),
        }

    def load(self, state: Json) -> None:
        if [name for name, _ in state["members"]] != [member.name for member in self.members]:
            raise ValueError("a portfolio with other members")
        pay, due, spent, improved = state["effort"]
        done, top, size = state["now"]
        if not len(pay) == len(due) == len(done) == len(self.members):
            raise ValueError("a portfolio with other members")
        tried = {(int(known), int(number)) for known, number in state["tried"]}
        self._course.load(state["course"])
        for member, (_, saved) in zip(self.members, state["members"], strict=True):
            member.load(saved)
        self._pay, self._due = list(map(float, pay)), list(map(float, due))
        self._spent, self._improved = float(spent), float(improved)
        self._tried, self._done = tried, list(map(bool, done))
        self._top, self._size = int(top), int(size)


def effort(attempt: Attempt) -> float:
    """About the microseconds that an attempt takes on a common machine, estimated from what is counted."""
    if attempt.branches:
        solving = 150.0 * attempt.solver_calls + attempt.stats.solver_units
        return 500.0 + 50.0 * len(attempt.branches) + solving + attempt.micros
    return 100.0 + attempt.micros
