"""The lessons that lie before the members of a portfolio: who practises what, and how much of it is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from untrod.core.vocabulary import Json
from untrod.engines.worst.policies.base import HuntPolicy


@dataclass
class SharedLesson:
    """Practice at one size; members are known by their numbers."""

    size: int
    left: dict[int, int]
    """Steps left to those who take part; who has none left still hears what the others find here."""


class Course:
    """Members practise side by side, the smallest size first: a path that one has walked teaches them all.

    A lesson is over when nobody in it has steps left. Members without lessons ahead are not in the course.
    """

    def __init__(self) -> None:
        self.lessons: list[SharedLesson] = []

    def plan(self, size: int, members: Sequence[HuntPolicy]) -> bool:
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
        """Has this member a lesson, now or later? Then it is not at the size of the hunt."""
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

    def turn_page(self) -> bool:
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
