"""Training a policy for walks: imitation of a teacher, then reinforcement, with validation on worlds that it
does not train on (`trainer.py`); and fine-tuning on one graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import Literal

import numpy as np

from untrod.core.seeds import derive, stream
from untrod.engines.explore.measure import coverages
from untrod.engines.explore.teachers import HindsightTeacher, TaughtEnv, Teacher
from untrod.engines.explore.trainer import Trainer, TrainingPlan, UpdatePart
from untrod.engines.explore.vector_env import FEATURES, DecisionEnv, Moves, VectorEnv
from untrod.engines.explore.walkers.planner import COMPLETIONS, Planner
from untrod.engines.explore.worlds.graph import Graph
from untrod.engines.explore.worlds.tasks import Task, task
from untrod.learn.gmetaexp.actor_critic import ActorCritic, Settings, follow, imitate
from untrod.learn.gmetaexp.ggnn import GraphPolicy, Memory, Shape
from untrod.learn.gmetaexp.links import learn_links
from untrod.learn.gmetaexp.scenes import Scene

TeacherName = Literal["planner", "hindsight"]


@dataclass(frozen=True, slots=True)
class WalkPlan(TrainingPlan):
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
    """Features of nodes that are learned from links alone, before the training
    (`learn/gmetaexp/links.py`)."""

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


VIEWS, VIEWED, FAR_OFF = 200, 8, 1 << 40
"""How many views of worlds the features of links are learned from, and of how many worlds each."""


class WalkTrainer(Trainer):
    def __init__(self, plan: WalkPlan, folder: Path) -> None:
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

    def learn(self, part: UpdatePart) -> float:
        plan = self.plan
        first = part.update * plan.batch
        if part.imitates:
            pupils = plan.pupils if plan.teacher == "planner" else plan.batch
            worlds = self._worlds(part.share(range(first, first + pupils)))
            env = TaughtEnv(worlds, self._family.steps, self._teacher(part))
            return imitate(self.learner, env, part.progress)
        worlds = self._worlds(part.share(range(first, first + plan.batch // plan.group)))
        worlds = [world for world in worlds for _ in range(plan.group)]
        arena = DecisionEnv(worlds, self._family.steps, plan.moves)
        return self.learner.update(arena, part.progress)

    def _worlds(self, numbers: list[int]) -> list[Graph]:
        return [self._family.world(self.plan.seed, "train", number) for number in numbers]

    def _views(self) -> Iterator[Scene]:
        """Worlds as walkers see them at some moment of a walk. No update uses worlds of these numbers."""
        random = stream(self.plan.seed, "links")
        for number in range(VIEWS):
            worlds = list(self._family.worlds(self.plan.seed, "train", VIEWED, FAR_OFF + number * VIEWED))
            env = VectorEnv(worlds, self._family.steps, "steps")
            for _ in range(random.randrange(self._family.steps)):
                if not env.over:
                    env.act(np.array([random.randrange(count) for count in env.option_counts]))
            yield env.scene()

    def _teacher(self, part: UpdatePart) -> Teacher:
        plan = self.plan
        if plan.teacher == "hindsight":
            return HindsightTeacher()
        seed = derive(plan.seed, "teacher", part.update, *part.name)
        return Planner(seed, COMPLETIONS[plan.task], plan.samples)

    @cached_property
    def _validation(self) -> list[Graph]:
        return list(self._family.worlds(self.plan.seed, "validation", self.plan.validation))

    def _validate(self) -> float:
        return fmean(coverages(self.policy, self._validation, self._family.steps, self.plan.moves))


WALKERS = 16
VALIDATE = 10
"""Updates from one measurement of the policy to the next."""
RATE, ENTROPY = 2e-2, 0.02
MOST_NODES = 2_000
"""Habits are a table of nodes by nodes. In larger graphs the network itself is what practises."""


def fine_tune(
    policy: GraphPolicy, graph: Graph, steps: int, updates: int, seed: int, moves: Moves = "aims"
) -> GraphPolicy:
    """A copy of the policy, trained for so many updates of 16 walks each on the graph that it will be
    measured on; the policy itself if it was better before.

    That takes a world that can be begun again as often as one likes, as a recorded app can. What is learned
    is about this graph only: where its sinks are, which of two equal looking links leads on. So the network
    stays as it is, and habits are learned on top of it (`ggnn.py`): by its features alone it could not tell
    the two links apart, however long it practised. That is also twice as fast: the gradient ends at the
    habits.
    """
    tuned = deepcopy(policy)
    if graph.nodes <= MOST_NODES:
        tuned.requires_grad_(False)
        tuned.judge.requires_grad_(True)  # so that there is a gradient where no habit had a say
        tuned.settle(graph.nodes)
    learner = ActorCritic(tuned, seed, Settings(rate=RATE, entropy=ENTROPY, group=WALKERS))
    best, best_coverage = policy, _coverage(policy, graph, steps, moves)
    for number in range(1, updates + 1):
        learner.update(DecisionEnv([graph] * WALKERS, steps, moves), number / updates)
        if number % VALIDATE == 0 or number == updates:
            coverage = _coverage(learner.policy, graph, steps, moves)
            if coverage > best_coverage:
                best, best_coverage = deepcopy(learner.policy), coverage
    return best


def _coverage(policy: GraphPolicy, graph: Graph, steps: int, moves: Moves) -> float:
    """Of several walks, because equals are told apart by chance: one lucky walk is no skill."""
    env = DecisionEnv([graph] * WALKERS, steps, moves)
    follow(policy, env)
    return float(env.coverage.mean())
