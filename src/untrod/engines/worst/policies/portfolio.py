"""`auto`: several policies that share what they find, and a scheduler that gives time to those that pay.

A climber alone solves many functions in seconds; what it misses has irregular structure, and there a learned
policy wins; where a rule from small sizes holds, one path is enough. Nobody knows which beforehand.

Each member is entitled to a share of the effort, which follows what it has found (`scheduler.py`), and
whoever is furthest below what is due to it is next. Effort is counted, not timed: the same seed gives
the same turns. Loading the solver is effort too, charged in advance.

One symbolic path early on may say more than all climbing. So the two that need no practice are walked
(`one_sided.py`), piece by piece, and kept short as long as their pieces bring nothing.

Practice at small sizes is effort like any other. While some still practise, the climber, who needs none,
searches already, so a short budget is not spent on preparations. Attempts of practice come back marked so.

They seed one another. Every symbolic path is offered to the others, who add it to their trees and learn from
it; the learner follows the climber's best input branch by branch, and leaves its path where it would not
have gone. The climber goes on from the environment's best, whoever found it.

The learner among them uses a table: on insertion sort, merge sort, two string searches and a bracket parser
it needed about as many paths as the network, and about half the time to practise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from untrod.core.vocabulary import Json
from untrod.engines.worst.policies.climb import Climb
from untrod.engines.worst.policies.one_sided import OneSidedPaths
from untrod.engines.worst.policies.pyse import PySE, Settings
from untrod.engines.worst.policies.rules import SpfWca
from untrod.engines.worst.policies.scheduler import LOADING, EffortScheduler, estimated_micros
from untrod.engines.worst.protocol import Attempt, Environment, Lesson, SearchPolicy

_MOST = 150
"""Paths of one lesson for the rule. What has more seldom has less than 400, and the search does not wait."""


@dataclass
class SharedLesson:
    """Practice at one size; members are known by their numbers."""

    size: int
    left: dict[int, int]
    """Steps left to those who take part; who has none left still hears what the others find here."""


class Curriculum:
    """Members practise side by side, the smallest size first: a path that one has walked teaches them all.

    A lesson is over when nobody in it has steps left. Members without lessons ahead are not in it.
    """

    def __init__(self) -> None:
        self.lessons: list[SharedLesson] = []

    def plan(self, size: int, members: Sequence[SearchPolicy]) -> bool:
        """What the members want to have practised before `size`. True: another lesson begins than before.

        The lesson that is on goes on, whatever the size: it was not listed twice, as it is not over.
        """
        running = self.lessons[:1]
        wanted: dict[int, SharedLesson] = {}
        for number, member in enumerate(members):
            for lesson in member.lessons(size):
                if not running or lesson.size != running[0].size:
                    shared = wanted.setdefault(lesson.size, SharedLesson(lesson.size, {}))
                    shared.left[number] = lesson.steps
        self.lessons = running + [wanted[small] for small in sorted(wanted)]
        return bool(self.lessons) and not running

    @property
    def size(self) -> int:
        """Of the lesson that is on."""
        return self.lessons[0].size

    def enrolled(self, number: int) -> bool:
        """Has this member a lesson, now or later? Then it is not at the size of the search."""
        return any(number in lesson.left for lesson in self.lessons)

    def attends(self, number: int) -> bool:
        """Is it at the size of the lesson that is on, with steps left or without?"""
        return bool(self.lessons) and number in self.lessons[0].left

    def ready(self, number: int) -> bool:
        """Has it steps left in the lesson that is on?"""
        return bool(self.lessons) and bool(self.lessons[0].left.get(number))

    def step(self, number: int) -> None:
        self.lessons[0].left[number] -= 1

    def leave(self, number: int) -> bool:
        """There was nothing left to try for this member. True: it has no other lesson, and is out."""
        now, *later = self.lessons
        now.left[number] = 0
        if any(number in lesson.left for lesson in later):
            return False
        del now.left[number]
        return True

    def advance(self) -> bool:
        """True: the lesson that was on has ended."""
        if not self.lessons or any(self.lessons[0].left.values()):
            return False
        del self.lessons[0]
        return True

    def state(self) -> Json:
        return [[lesson.size, [list(entry) for entry in lesson.left.items()]] for lesson in self.lessons]

    def load(self, state: Json) -> None:
        self.lessons = [
            SharedLesson(int(size), {int(number): int(steps) for number, steps in left})
            for size, left in state
        ]


class Portfolio:
    """See the module's text."""

    name = "auto"

    def __init__(
        self, seed: int, members: Sequence[SearchPolicy] | None = None, loading: float = LOADING
    ) -> None:
        usual: list[SearchPolicy] = [Climb(seed), SpfWca(seed, _MOST), PySE(seed, Settings("table"))]
        self.members = usual if members is None else list(members)
        self._one_sided = OneSidedPaths() if members is None else None
        self._scheduler = EffortScheduler(len(self.members), loading)
        self._tried: set[tuple[int, int]] = set()  # size, and the number of who has had a turn there
        self._curriculum = Curriculum()
        self._size = 0
        self._begin()

    def _begin(self) -> None:
        self._done = [False] * len(self.members)
        self._top = 0
        self._scheduler.end()
        self._audience: list[SearchPolicy] = []  # those who hear of what the holder of this turn finds

    @property
    def learning(self) -> bool:
        """Somebody practises, or has not had a turn at this size: it is too early to conclude anything."""
        new = (not done and (self._size, number) not in self._tried for number, done in enumerate(self._done))
        return bool(self._curriculum.lessons) or any(new)

    # -- sizes ------------------------------------------------------------------------------------

    def lessons(self, size: int) -> tuple[Lesson, ...]:
        """None that anybody would have to wait for: members practise while others search."""
        return ()

    def grow(self, size: int, *, lesson: bool = False) -> None:
        self._begin()
        self._size = size
        if self._one_sided is not None:
            self._one_sided.grow(size)
        starts = self._curriculum.plan(size, self.members)
        for number, member in enumerate(self.members):
            if not self._curriculum.enrolled(number):
                member.grow(size)
        if starts:
            if not self._scheduler.spent:
                for number in self._curriculum.lessons[0].left:
                    self._scheduler.charge(number)
            self._start_lesson()

    def _start_lesson(self) -> None:
        for number in self._curriculum.lessons[0].left:
            self.members[number].grow(self._curriculum.size, lesson=True)

    def _next_lesson(self) -> None:
        """If one has ended. Those who want no others join the search: what they want may have changed."""
        curriculum = self._curriculum
        students = [number for number in range(len(self.members)) if curriculum.enrolled(number)]
        while curriculum.advance():
            if curriculum.lessons:
                self._start_lesson()
                curriculum.plan(self._size, self.members)
        for number in students:
            if not curriculum.enrolled(number):
                self.members[number].grow(self._size)

    def _leave(self, number: int) -> None:
        """Nothing left to try in this lesson. Who has no other need not wait for those who go on with it."""
        if self._curriculum.leave(number):
            self.members[number].grow(self._size)
        self._next_lesson()

    # -- one step ---------------------------------------------------------------------------------

    def step(self, env: Environment) -> Attempt | None:
        scheduler = self._scheduler
        while True:
            if scheduler.left <= 0.0:
                scheduler.end()
                attempt = self._one_sided_step(env)
                if attempt is not None:
                    return attempt
                able = self._able()
                if not able:
                    return None
                scheduler.begin(able)
                self._audience = self._hearers(scheduler.holder)
            if self._curriculum.enrolled(scheduler.holder):
                attempt = self._practised(scheduler.holder, env)
            else:
                attempt = self._searched(scheduler.holder, env)
            if attempt is not None:
                return attempt
            scheduler.end()

    def _practised(self, number: int, env: Environment) -> Attempt | None:
        """None: nothing left to try in this lesson."""
        attempt = self.members[number].step(env.at(self._curriculum.size))
        if attempt is None:
            self._leave(number)
            return None
        self._scheduler.spend(estimated_micros(attempt))
        self._scheduler.end()  # whoever is able may have changed
        for member in self._audience:
            member.offer(attempt)
        self._curriculum.step(number)
        self._next_lesson()
        return replace(attempt, practice=True)

    def _searched(self, number: int, env: Environment) -> Attempt | None:
        """None: nothing left to try at this size."""
        attempt = self.members[number].step(env)
        if attempt is None:
            self._done[number] = True
            return None
        self._scheduler.spend(estimated_micros(attempt))
        for member in self._audience:
            member.offer(attempt)
        self._tried.add((self._size, number))
        before = self._top
        if self._raises(attempt) and before:  # whoever is first beats nobody
            self._scheduler.reward(attempt.cost / before)
        return attempt

    def _raises(self, attempt: Attempt) -> bool:
        """Is it the best so far? It is noted."""
        if attempt.cost <= self._top or not attempt.counts:
            return False
        self._top = attempt.cost
        return True

    def _one_sided_step(self, env: Environment) -> Attempt | None:
        paths, scheduler = self._one_sided, self._scheduler
        attempt = paths.step(env) if paths and scheduler.warm and paths.due(scheduler.spent) else None
        if attempt is not None:
            scheduler.spend_besides(estimated_micros(attempt), improved=self._raises(attempt))
            if not attempt.cut:  # to a tree, the end of a piece would be the end of its path
                self.offer(attempt)
        return attempt

    def _able(self) -> list[int]:
        """Those who can do something now. Who has finished a lesson before the others waits for the next."""
        curriculum = self._curriculum
        return [
            number
            for number, done in enumerate(self._done)
            if (curriculum.ready(number) if curriculum.enrolled(number) else not done)
        ]

    def _hearers(self, by: int | None) -> list[SearchPolicy]:
        """Those who are at the same size as this member; None stands for the size of the search."""
        curriculum = self._curriculum
        practice = by is not None and curriculum.enrolled(by)
        return [
            member
            for number, member in enumerate(self.members)
            if number != by and (curriculum.attends(number) if practice else not curriculum.enrolled(number))
        ]

    def offer(self, attempt: Attempt) -> None:
        self._top = max(self._top, attempt.cost)
        for member in self._hearers(None):
            member.offer(attempt)

    # -- persistence ------------------------------------------------------------------------------

    def state(self) -> Json:
        return {
            "members": [[member.name, member.state()] for member in self.members],
            "clock": self._scheduler.state(),
            "now": [self._done, self._top, self._size],
            "tried": sorted(self._tried),
            "course": self._curriculum.state(),
            "scout": None if self._one_sided is None else self._one_sided.state(),
        }

    def load(self, state: Json) -> None:
        if [name for name, _ in state["members"]] != [member.name for member in self.members]:
            raise ValueError("a portfolio with other members")
        done, top, size = state["now"]
        tried = {(int(known), int(number)) for known, number in state["tried"]}
        self._curriculum.load(state["course"])
        if self._one_sided is not None:
            self._one_sided.load(state["scout"])
        for member, (_, saved) in zip(self.members, state["members"], strict=True):
            member.load(saved)
        self._scheduler.load(state["clock"])
        self._tried, self._done = tried, list(map(bool, done))
        self._top, self._size = int(top), int(size)
        self._audience = self._hearers(self._scheduler.holder)
