"""A course of training: imitation of a teacher, then reinforcement, with an eye on worlds it does not
train on.

Update n takes its worlds by their numbers and its teacher's seed by n, so a course needs no memory but the
learner's: stopped at any checkpoint and resumed, it goes on as if nothing had happened. The weights that
count are those that were best on the validation worlds; held-out worlds are looked at once, at the end.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from torch import Tensor

from untrod.core.errors import UntrodError
from untrod.core.seeds import derive
from untrod.core.vocabulary import Json
from untrod.engines.explore.checkpoint import HINT, read_checkpoint, read_notes, write_checkpoint
from untrod.engines.explore.decisions import Decisions
from untrod.engines.explore.hindsight import Hindsight, Teacher
from untrod.engines.explore.measure import coverages
from untrod.engines.explore.plan import Plan
from untrod.engines.explore.taught_fleet import TaughtFleet
from untrod.engines.explore.walkers.completions import COMPLETIONS
from untrod.engines.explore.walkers.planner import Planner
from untrod.learn.actor_critic import ActorCritic, Diverged
from untrod.learn.ggnn import GraphPolicy
from untrod.learn.imitation import imitate

SAVE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Look:
    """What a look at the validation worlds has shown."""

    update: int
    phase: str
    progress: float
    training: float
    validation: float
    best: float


class Course:
    """Resumes what it finds in its folder. Raises UntrodError where that is another plan's course."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        if plan.updates is None and plan.minutes is None:
            raise ValueError("a course ends after so many updates, or minutes")
        self.plan, self._folder = plan, folder
        self._family = plan.family()
        self.policy = GraphPolicy(plan.shape(), derive(plan.seed, "weights"))
        self.learner = ActorCritic(self.policy, plan.seed, plan.settings())
        self.update, self._spent, self._stale = 0, 0.0, 0
        self.best = -1.0
        self._best_weights = self._copy()
        self._validation = list(self._family.worlds(plan.seed, "validation", plan.validation))
        self.resumed = self._resume()

    def run(self, told: Callable[[Look], None] = lambda look: None) -> str:
        """To the end of the plan, or to an interrupt. Returns why it ended. The best weights are the
        policy's then."""
        begun, saved = time.process_time() - self._spent, time.monotonic()
        why, recent = "", list[float]()
        try:
            while not why:
                self._spent = time.process_time() - begun
                why = self._end()
                if why:
                    break
                recent = [*recent[-24:], self._learn()]
                self.update += 1
                if self.update % self.plan.evaluate == 0:
                    told(self._look(fmean(recent)))
                if time.monotonic() - saved > SAVE_SECONDS:
                    self.save()
                    saved = time.monotonic()
        except KeyboardInterrupt:
            why = "interrupted"
        except Diverged as error:
            self.save()
            raise UntrodError(
                f"training stopped at update {self.update}: {error}",
                f"the weights before are kept in {self._folder}",
            ) from None
        if self.update % self.plan.evaluate or self.best < 0:
            told(self._look(fmean(recent or [0.0])))
        self.save()
        self.policy.load_state_dict(self._best_weights)
        return why

    def save(self) -> None:
        notes: dict[str, Json] = {
            "plan": self._identity(),
            "update": self.update,
            "spent": self._spent,
            "best": self.best,
            "stale": self._stale,
        }
        write_checkpoint(self._folder, self.learner, self._best_weights, notes)

    @property
    def progress(self) -> float:
        """From 0 to 1."""
        plan = self.plan
        if plan.updates is not None:
            return min(1.0, self.update / plan.updates) if plan.updates else 1.0
        assert plan.minutes is not None
        return min(1.0, self._spent / (60 * plan.minutes)) if plan.minutes else 1.0

    @property
    def phase(self) -> str:
        return "imitation" if self.progress < self.plan.imitation else "reinforcement"

    def _end(self) -> str:
        if self.progress >= 1.0:
            return "done"
        return "no better for long" if self._stale >= self.plan.patience else ""

    def _learn(self) -> float:
        plan = self.plan
        first = self.update * plan.batch
        if self.phase == "imitation":
            pupils = plan.pupils if plan.teacher == "planner" else plan.batch
            worlds = list(self._family.worlds(plan.seed, "train", pupils, first))
            fleet = TaughtFleet(worlds, self._family.steps, self._teacher())
            return imitate(self.learner, fleet, self.progress)
        worlds = list(self._family.worlds(plan.seed, "train", plan.batch // plan.group, first))
        worlds = [world for world in worlds for _ in range(plan.group)]
        arena = Decisions(worlds, self._family.steps, plan.moves)
        return self.learner.update(arena, self.progress)

    def _teacher(self) -> Teacher:
        plan = self.plan
        if plan.teacher == "hindsight":
            return Hindsight()
        return Planner(derive(plan.seed, "teacher", self.update), COMPLETIONS[plan.task], plan.samples)

    def _look(self, training: float) -> Look:
        score = fmean(coverages(self.policy, self._validation, self._family.steps, self.plan.moves))
        self._stale += 1
        if score > self.best:
            self.best, self._stale, self._best_weights = score, 0, self._copy()
        return Look(self.update, self.phase, self.progress, training, score, self.best)

    def _copy(self) -> dict[str, Tensor]:
        return {name: tensor.clone() for name, tensor in self.policy.state_dict().items()}

    def _identity(self) -> dict[str, Json]:
        """A longer course with the same plan may go on from a shorter one."""
        return {
            name: value for name, value in self.plan.to_json().items() if name not in ("updates", "minutes")
        }

    def _resume(self) -> bool:
        notes = read_notes(self._folder)
        if notes is None:
            return False
        if notes["plan"] != self._identity():
            raise UntrodError(f"{self._folder} has a course with another plan", HINT)
        self._best_weights = read_checkpoint(self._folder, self.learner)
        self.update, self._spent = int(notes["update"]), float(notes["spent"])
        self.best, self._stale = float(notes["best"]), int(notes["stale"])
        return True
