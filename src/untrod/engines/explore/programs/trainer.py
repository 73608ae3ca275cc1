"""Training a policy that proposes inputs for programs: imitation of a teacher, then reinforcement
(`trainer.py` of `explore` has what all trainers share); and fine-tuning on one program.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import fmean

from untrod.core.seeds import derive, stream
from untrod.engines.explore.programs.batches import ProgramTrial, Teacher, demonstrate
from untrod.engines.explore.programs.karel import expert as karel
from untrod.engines.explore.programs.karel.grids import SIZE, WALL
from untrod.engines.explore.programs.robustfill import expert as robustfill
from untrod.engines.explore.programs.robustfill.inputs import ALPHABET
from untrod.engines.explore.programs.tasks import ProgramTask, task
from untrod.engines.explore.programs.trained import coverages
from untrod.engines.explore.programs.world import EDGE_TYPES, ProgramWorld
from untrod.engines.explore.trainer import Trainer, TrainingPlan, UpdatePart
from untrod.learn.gmetaexp.programs.encoders import EncoderName
from untrod.learn.gmetaexp.programs.learner import Demonstrations, ProgramLearner, Settings
from untrod.learn.gmetaexp.programs.policy import ProgramPolicy, Shape

POOLS = {"robustfill": 300, "karel": 100}
"""Batches of demonstrations: Karel's programs take long to make."""


@dataclass(frozen=True, slots=True)
class ProgramPlan(TrainingPlan):
    """A batch has so many programs in imitation, and half as many, each with a group of inputs, after it."""

    moments: int = 3
    """Inputs to an episode."""
    pool: int = 300
    """Batches of demonstrations, after which they come again: teachers take as long as the network."""
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


TEACHERS: dict[str, Teacher] = {"robustfill": robustfill.advise, "karel": karel.advise}
COUNTED = (1, 5)
"""Validation is the mean of the coverages with so many inputs."""


class ProgramTrainer(Trainer):
    """`pool` has demonstrations by number, made before with the same task, seed, batch and moments."""

    def __init__(
        self, plan: ProgramPlan, folder: Path, pool: dict[int, Demonstrations] | None = None
    ) -> None:
        self.plan = plan
        self._family = plan.family()
        self.policy = ProgramPolicy(plan.shape(), derive(plan.seed, "weights"))
        self.learner = ProgramLearner(self.policy, plan.seed, plan.settings())
        self._pool: dict[int, Demonstrations] = {} if pool is None else pool
        super().__init__(plan, folder, self.learner)

    def learn(self, part: UpdatePart) -> float:
        plan = self.plan
        if part.imitates:
            return self.learner.imitate(self._demonstrations(part.update % plan.pool, part), part.progress)
        first = (plan.pool + part.update) * plan.batch  # beyond those of the demonstrations
        worlds = self._worlds(part.share(range(first, first + plan.fewest)))
        return self.learner.reinforce(ProgramTrial(worlds, plan.moments), part.progress)

    def _worlds(self, numbers: list[int]) -> list[ProgramWorld]:
        return [self._family.world(self.plan.seed, "train", number) for number in numbers]

    @cached_property
    def _validation(self) -> list[ProgramWorld]:
        return list(self._family.worlds(self.plan.seed, "validation", self.plan.validation))

    def _demonstrations(self, number: int, part: UpdatePart) -> Demonstrations:
        """A function of the number: those of resumed training are the same."""
        plan = self.plan
        if number not in self._pool:
            first = number * plan.batch
            worlds = self._worlds(part.share(range(first, first + plan.batch)))
            random = stream(plan.seed, "lessons", number, *part.name)
            self._pool[number] = demonstrate(worlds, TEACHERS[plan.task], plan.moments, random)
        return self._pool[number]

    def _validate(self) -> float:
        return fmean(map(fmean, coverages(self.policy, self._validation, COUNTED)))


EPISODES = 8
VALIDATE = 10
"""Updates from one measurement of the policy to the next."""


def fine_tune(
    policy: ProgramPolicy, world: ProgramWorld, inputs: int, updates: int, seed: int
) -> ProgramPolicy:
    """A copy of the policy, trained for so many updates of 8 episodes each on the program that it will be
    measured on; the policy itself if it was better before."""
    learner = ProgramLearner(deepcopy(policy), seed, Settings(rate=1e-3, entropy=0.02))
    moments = min(inputs, 5)
    best, most = policy, _coverage(policy, world, moments)
    for number in range(1, updates + 1):
        learner.reinforce(ProgramTrial([world] * EPISODES, moments), number / updates)
        if number % VALIDATE == 0 or number == updates:
            coverage = _coverage(learner.policy, world, moments)
            if coverage > most:
                best, most = deepcopy(learner.policy), coverage
    return best


def _coverage(policy: ProgramPolicy, world: ProgramWorld, inputs: int) -> float:
    """Of several tries, because inputs are drawn: one lucky input is no skill. Fewer inputs are better."""
    found = coverages(policy, [world] * EPISODES, range(1, inputs + 1))
    return fmean(map(fmean, found))
