"""What a course in inputs for programs is."""

from __future__ import annotations

from dataclasses import dataclass

from untrod.engines.explore.course_plan import CoursePlan
from untrod.engines.explore.programs.graph import EDGE_TYPES
from untrod.engines.explore.programs.karel.grids import SIZE, WALL
from untrod.engines.explore.programs.robustfill.inputs import ALPHABET
from untrod.engines.explore.programs.tasks import ProgramTask, task
from untrod.learn.gmetaexp.programs.encoders import EncoderName
from untrod.learn.gmetaexp.programs.learner import Settings
from untrod.learn.gmetaexp.programs.policy import Shape

POOLS = {"robustfill": 300, "karel": 100}
"""Batches of lessons: Karel's programs take long to make."""


@dataclass(frozen=True, slots=True)
class ProgramPlan(CoursePlan):
    """A batch has so many programs in imitation, and half as many, each with a group of inputs, after it."""

    moments: int = 3
    """Inputs to an episode."""
    pool: int = 300
    """Batches of lessons, after which they come again: teachers take as long as the network."""
    group: int = 6
    imitation: float = 0.75
    hidden: int = 64
    encoder: EncoderName = "gnn"
    runtime: bool = True
    evaluate: int = 50

    @property
    def fewest(self) -> int:
        """Programs of an update."""
        return max(1, self.batch // 2)

    def family(self) -> ProgramTask:
        return task(self.task)

    def shape(self) -> Shape:
        grids = self.task == "karel"
        return Shape(
            words=len(self.family().vocabulary),
            symbols=WALL + 1 if grids else len(ALPHABET) + 1,
            side=SIZE if grids else 0,
            kinds=len(EDGE_TYPES),
            hidden=self.hidden,
            rounds=self.rounds,
            encoder=self.encoder,
            history=self.history,
            runtime=self.runtime,
        )

    def settings(self) -> Settings:
        return Settings(rate=self.rate, entropy=self.entropy, group=self.group)
