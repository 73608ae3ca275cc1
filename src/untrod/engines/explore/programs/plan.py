"""What a course in inputs for programs is: everything that decides how it goes, and nothing else."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from untrod.core.vocabulary import Json
from untrod.engines.explore.programs.graph import EDGE_TYPES
from untrod.engines.explore.programs.karel.grids import SIZE, WALL
from untrod.engines.explore.programs.robustfill.inputs import ALPHABET
from untrod.engines.explore.programs.tasks import ProgramTask, task
from untrod.learn.programs.encoders import EncoderName
from untrod.learn.programs.learner import Settings
from untrod.learn.programs.policy import Shape

POOLS = {"robustfill": 300, "karel": 100}
"""Batches of lessons: Karel's programs take long to make."""


@dataclass(frozen=True, slots=True)
class ProgramPlan:
    """`updates` or `minutes` (of CPU time) end it, whichever is given; with `updates` it is the same every
    time."""

    task: str
    seed: int = 0
    updates: int | None = None
    minutes: float | None = None
    batch: int = 64
    """Programs of an update in imitation; in reinforcement half as many, each with a group of inputs."""
    moments: int = 3
    """Inputs to an episode."""
    pool: int = 300
    """Batches of lessons, after which they come again: teachers take as long as the network."""
    group: int = 6
    imitation: float = 0.75
    """The share of the course that is spent on imitating the teacher, before reinforcement."""
    rate: float = 3e-3
    entropy: float = 0.01
    hidden: int = 64
    rounds: int = 3
    encoder: EncoderName = "gnn"
    history: bool = True
    runtime: bool = True
    evaluate: int = 50
    """Updates from one look at validation programs to the next."""
    validation: int = 200
    patience: int = 40
    """So many looks without a new best end the course."""
    workers: int = 1
    """So many parts an update has, each with its share of the worlds. Who plays them decides nothing."""

    def to_json(self) -> dict[str, Json]:
        return asdict(self)

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
