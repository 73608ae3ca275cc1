"""What a course in walking is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from untrod.engines.explore.course_plan import CoursePlan
from untrod.engines.explore.fleet import FEATURES, Moves
from untrod.engines.explore.worlds.tasks import Task, task
from untrod.learn.gmetaexp.actor_critic import Settings
from untrod.learn.gmetaexp.ggnn import Memory, Shape

TeacherName = Literal["planner", "hindsight"]


@dataclass(frozen=True, slots=True)
class Plan(CoursePlan):
    side: int = 6
    group: int = 1
    teacher: TeacherName = "hindsight"
    samples: int = 8
    """Completions that the planner imagines at each decision, as a teacher."""
    pupils: int = 16
    """Walkers in a batch of the planner's: it is slow."""
    memory: Memory = "graph"
    moves: Moves = "aims"
    links: int = 0
    """Features of nodes that are learned from links alone, before the course (`learn/gmetaexp/links.py`)."""

    @property
    def fewest(self) -> int:
        """Worlds of an update."""
        pupils = self.pupils if self.teacher == "planner" and self.imitation else self.batch
        return min(pupils, self.batch // self.group)

    def family(self) -> Task:
        return task(self.task, self.side)

    def shape(self) -> Shape:
        prior = 1.0 if self.moves == "aims" else 0.0  # all steps cost one
        return Shape(FEATURES, self.hidden, self.rounds, self.memory, self.history, prior, self.links)

    def settings(self) -> Settings:
        return Settings(rate=self.rate, entropy=self.entropy, group=self.group)
