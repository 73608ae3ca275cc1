"""What a course of training is: everything that decides how it goes, and nothing else."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

from untrod.core.vocabulary import Json
from untrod.engines.explore.fleet import FEATURES, Moves
from untrod.engines.explore.worlds.tasks import Task, task
from untrod.learn.actor_critic import Settings
from untrod.learn.ggnn import Memory, Shape

TeacherName = Literal["planner", "hindsight"]


@dataclass(frozen=True, slots=True)
class Plan:
    """`updates` or `minutes` (of CPU time) end it, whichever is given; with `updates` it is the same every
    time."""

    task: str
    seed: int = 0
    side: int = 6
    updates: int | None = None
    minutes: float | None = None
    batch: int = 64
    group: int = 1
    imitation: float = 0.0
    """The share of the course that is spent on imitating the teacher, before reinforcement."""
    teacher: TeacherName = "hindsight"
    samples: int = 8
    """Completions that the planner imagines at each decision, as a teacher."""
    pupils: int = 16
    """Walkers in a batch of the planner's: it is slow."""
    rate: float = 3e-3
    entropy: float = 0.01
    hidden: int = 32
    rounds: int = 3
    memory: Memory = "graph"
    history: bool = True
    moves: Moves = "aims"
    links: int = 0
    """Features of nodes that are learned from links alone, before the course (`learn/links.py`)."""
    evaluate: int = 25
    """Updates from one look at validation worlds to the next."""
    validation: int = 200
    patience: int = 40
    """So many looks without a new best end the course."""
    workers: int = 1
    """So many parts an update has, each with its share of the worlds. Who plays them decides nothing."""

    def to_json(self) -> dict[str, Json]:
        return asdict(self)

    def family(self) -> Task:
        return task(self.task, self.side)

    def shape(self) -> Shape:
        prior = 1.0 if self.moves == "aims" else 0.0  # all steps cost one
        return Shape(FEATURES, self.hidden, self.rounds, self.memory, self.history, prior, self.links)

    def settings(self) -> Settings:
        return Settings(rate=self.rate, entropy=self.entropy, group=self.group)
