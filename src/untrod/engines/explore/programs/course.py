"""A course in inputs for programs: imitation of a teacher, then reinforcement (`schooling.py` has what all
courses share)."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from statistics import fmean

from untrod.core.seeds import derive, stream
from untrod.engines.explore.programs.lessons import Teacher, lessons
from untrod.engines.explore.programs.plan import ProgramPlan
from untrod.engines.explore.programs.proposing import coverages
from untrod.engines.explore.programs.teachers import karel, robustfill
from untrod.engines.explore.programs.trial import ProgramTrial
from untrod.engines.explore.programs.world import ProgramWorld
from untrod.engines.explore.schooling import Moment, Schooling
from untrod.learn.gmetaexp.programs.learner import Demonstrations, ProgramLearner
from untrod.learn.gmetaexp.programs.policy import ProgramPolicy

TEACHERS: dict[str, Teacher] = {"robustfill": robustfill.advise, "karel": karel.advise}
COUNTED = (1, 5)
"""Validation is the mean of the coverages with so many inputs."""


class ProgramCourse(Schooling):
    """`pool` has lessons by number, made before by a course of the same task, seed, batch and moments."""

    def __init__(
        self, plan: ProgramPlan, folder: Path, pool: dict[int, Demonstrations] | None = None
    ) -> None:
        self.plan = plan
        self._family = plan.family()
        self.policy = ProgramPolicy(plan.shape(), derive(plan.seed, "weights"))
        self.learner = ProgramLearner(self.policy, plan.seed, plan.settings())
        self._pool: dict[int, Demonstrations] = {} if pool is None else pool
        super().__init__(plan, folder, self.learner)

    def learn(self, moment: Moment) -> float:
        plan = self.plan
        if moment.imitates:
            return self.learner.imitate(self._lessons(moment.update % plan.pool, moment), moment.progress)
        first = (plan.pool + moment.update) * plan.batch  # beyond those of the lessons
        worlds = self._worlds(moment.share(range(first, first + plan.fewest)))
        return self.learner.reinforce(ProgramTrial(worlds, plan.moments), moment.progress)

    def _worlds(self, numbers: list[int]) -> list[ProgramWorld]:
        return [self._family.world(self.plan.seed, "train", number) for number in numbers]

    @cached_property
    def _validation(self) -> list[ProgramWorld]:
        return list(self._family.worlds(self.plan.seed, "validation", self.plan.validation))

    def _lessons(self, number: int, moment: Moment) -> Demonstrations:
        """A function of the number: those of a resumed course are the same."""
        plan = self.plan
        if number not in self._pool:
            first = number * plan.batch
            worlds = self._worlds(moment.share(range(first, first + plan.batch)))
            random = stream(plan.seed, "lessons", number, *moment.name)
            self._pool[number] = lessons(worlds, TEACHERS[plan.task], plan.moments, random)
        return self._pool[number]

    def _validate(self) -> float:
        return fmean(map(fmean, coverages(self.policy, self._validation, COUNTED)))
