"""A course in walking: imitation of a teacher, then reinforcement, with an eye on worlds it does not train
on (`schooling.py` has what all courses share)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from statistics import fmean

import numpy as np

from untrod.core.seeds import derive, stream
from untrod.engines.explore.decisions import Decisions
from untrod.engines.explore.fleet import Fleet
from untrod.engines.explore.hindsight import Hindsight, Teacher
from untrod.engines.explore.measure import coverages
from untrod.engines.explore.plan import Plan
from untrod.engines.explore.schooling import Moment, Schooling
from untrod.engines.explore.taught_fleet import TaughtFleet
from untrod.engines.explore.walkers.completions import COMPLETIONS
from untrod.engines.explore.walkers.planner import Planner
from untrod.engines.explore.worlds.graph import Graph
from untrod.learn.gmetaexp.actor_critic import ActorCritic, imitate
from untrod.learn.gmetaexp.ggnn import GraphPolicy
from untrod.learn.gmetaexp.links import learn_links
from untrod.learn.gmetaexp.scenes import Scene

VIEWS, VIEWED, FAR_OFF = 200, 8, 1 << 40
"""How many views of worlds the features of links are learned from, and of how many worlds each."""


class Course(Schooling):
    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan = plan
        self._family = plan.family()
        self.policy = self.network(derive(plan.seed, "weights"))
        self.learner = ActorCritic(self.policy, plan.seed, plan.settings())
        if self.policy.links is not None:
            learn_links(self.policy.links, self._views(), plan.seed)
        super().__init__(plan, folder, self.learner)

    def network(self, seed: int) -> GraphPolicy:
        """What is to be trained, untrained."""
        return GraphPolicy(self.plan.shape(), seed)

    def learn(self, moment: Moment) -> float:
        plan = self.plan
        first = moment.update * plan.batch
        if moment.imitates:
            pupils = plan.pupils if plan.teacher == "planner" else plan.batch
            worlds = self._worlds(moment.share(range(first, first + pupils)))
            fleet = TaughtFleet(worlds, self._family.steps, self._teacher(moment))
            return imitate(self.learner, fleet, moment.progress)
        worlds = self._worlds(moment.share(range(first, first + plan.batch // plan.group)))
        worlds = [world for world in worlds for _ in range(plan.group)]
        arena = Decisions(worlds, self._family.steps, plan.moves)
        return self.learner.update(arena, moment.progress)

    def _worlds(self, numbers: list[int]) -> list[Graph]:
        return [self._family.world(self.plan.seed, "train", number) for number in numbers]

    def _views(self) -> Iterator[Scene]:
        """Worlds as walkers see them at some time, of numbers that no update comes to."""
        random = stream(self.plan.seed, "links")
        for number in range(VIEWS):
            worlds = list(self._family.worlds(self.plan.seed, "train", VIEWED, FAR_OFF + number * VIEWED))
            fleet = Fleet(worlds, self._family.steps, "steps")
            for _ in range(random.randrange(self._family.steps)):
                if not fleet.over:
                    fleet.act(np.array([random.randrange(count) for count in fleet.option_counts]))
            yield fleet.scene()

    def _teacher(self, moment: Moment) -> Teacher:
        plan = self.plan
        if plan.teacher == "hindsight":
            return Hindsight()
        seed = derive(plan.seed, "teacher", moment.update, *moment.name)
        return Planner(seed, COMPLETIONS[plan.task], plan.samples)

    @cached_property
    def _validation(self) -> list[Graph]:
        return list(self._family.worlds(self.plan.seed, "validation", self.plan.validation))

    def _validate(self) -> float:
        return fmean(coverages(self.policy, self._validation, self._family.steps, self.plan.moves))
