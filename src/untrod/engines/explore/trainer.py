"""What all trainers share: a plan, updates, validation, checkpoints, and an end.

A run of training needs no state but its learner's: update n takes its worlds by their numbers, and every
other seed by n. Stopped at any checkpoint and resumed, it goes on as if nothing had happened. The weights
that are kept are those that were best on the validation worlds; held-out worlds are measured once, at the
end.

An update may be shared among workers (`data_parallel.py`): each plays a part of its worlds and gives a
gradient.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Protocol, TypeVar

from torch import Tensor

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Json
from untrod.engines.explore.checkpoint import HINT, read_checkpoint, read_notes, write_checkpoint
from untrod.learn.gmetaexp.gradient_learner import Diverged, GradientLearner


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """Everything that decides how a run of training goes, and nothing else. It ends after `updates` or
    `minutes` (of CPU time), whichever is given; with `updates` it is the same every time."""

    task: str
    seed: int = 0
    updates: int | None = None
    minutes: float | None = None
    batch: int = 64
    imitation: float = 0.0
    """The share of the training that imitates the teacher, before reinforcement."""
    rate: float = 3e-3
    entropy: float = 0.01
    hidden: int = 32
    rounds: int = 3
    history: bool = True
    evaluate: int = 25
    """Updates from one validation to the next."""
    validation: int = 200
    patience: int = 40
    """So many validations without a new best end the training."""
    workers: int = 1
    """Parts of an update, each with its share of the worlds. Which worker plays which part changes no
    number."""

    def to_json(self) -> dict[str, Json]:
        return asdict(self)


INTERRUPTED = "interrupted"
SAVE_SECONDS = 10.0
W = TypeVar("W")


@dataclass(frozen=True, slots=True)
class ValidationReport:
    """Coverage on the validation worlds, and how far the training is."""

    update: int
    phase: str
    progress: float
    training: float
    validation: float
    best: float


@dataclass(frozen=True, slots=True)
class UpdatePart:
    """All that an update, or one part of it, depends on besides the weights and the random state."""

    update: int
    progress: float
    imitates: bool
    part: int = 0
    parts: int = 1

    def share(self, worlds: Sequence[W]) -> list[W]:
        """Of the worlds of the whole update, or of their numbers, those of this part."""
        return list(worlds[self.part :: self.parts])

    @property
    def name(self) -> tuple[int, ...]:
        """For seeds: parts must not draw the same numbers. Empty for an undivided update."""
        return (self.part, self.parts) if self.parts > 1 else ()


class ParallelUpdates(Protocol):
    """Workers that play the parts of an update: `data_parallel.py`."""

    @property
    def cpu(self) -> float:
        """Seconds that they have used."""
        ...

    def update(self, learner: GradientLearner[Any], part: UpdatePart) -> float:
        """One step of the learner, along the mean of their gradients. Returns their mean reward."""
        ...


class Trainer(ABC):
    """Resumes what it finds in its folder. Raises UntrodError where that is the training of another plan."""

    def __init__(self, plan: TrainingPlan, folder: Path, learner: GradientLearner[Any]) -> None:
        if plan.updates is None and plan.minutes is None:
            raise ValueError("a course ends after so many updates, or minutes")
        self._plan, self._folder, self._learner = plan, folder, learner
        self.data_parallel: ParallelUpdates | None = None
        self.update, self._spent, self._stale = 0, 0.0, 0
        self.best = -1.0
        self._best_weights = self._copy()
        self.resumed = self._resume()

    @abstractmethod
    def learn(self, part: UpdatePart) -> float:
        """One update, or a part of one. Returns the mean reward of its episodes."""

    @abstractmethod
    def _validate(self) -> float:
        """How good the policy is on the validation worlds."""

    def run(
        self, told: Callable[[ValidationReport], None] = lambda report: None, stop: int | None = None
    ) -> str:
        """To the end of the plan, to update `stop`, or to an interrupt. Returns why it ended. The best
        weights are the policy's then, but for `INTERRUPTED`."""
        begun, saved = self._clock() - self._spent, time.monotonic()
        why, recent = "", list[float]()
        try:
            while not why:
                self._spent = self._clock() - begun
                why = self._end(stop)
                if why:
                    break
                recent = [*recent[-24:], self.advance()]
                if self.update % self._plan.evaluate == 0:
                    told(self._validated(fmean(recent)))
                if time.monotonic() - saved > SAVE_SECONDS:
                    self.save()
                    saved = time.monotonic()
        except KeyboardInterrupt:  # somebody waits: nothing more than what must be
            self.save()
            return INTERRUPTED
        except Diverged as error:
            self.save()
            raise UntrodError(
                f"training stopped at update {self.update}: {error}",
                f"the weights before are kept in {self._folder}",
            ) from None
        except UntrodError:  # the workers are gone
            self.save()
            raise
        if self.update % self._plan.evaluate or self.best < 0:
            told(self._validated(fmean(recent or [0.0])))
        self.save()
        self._learner.policy.load_state_dict(self._best_weights)
        return why

    def advance(self) -> float:
        """The next update. Returns the mean reward of its episodes."""
        part = UpdatePart(self.update, self.progress, self.phase == "imitation")
        reward = (
            self.learn(part) if self.data_parallel is None else self.data_parallel.update(self._learner, part)
        )
        self.update += 1
        return reward

    def save(self) -> None:
        notes: dict[str, Json] = {
            "plan": self._identity(),
            "update": self.update,
            "spent": self._spent,
            "best": self.best,
            "stale": self._stale,
        }
        write_checkpoint(self._folder, self._learner, self._best_weights, notes)

    @property
    def progress(self) -> float:
        """From 0 to 1."""
        plan = self._plan
        if plan.updates is not None:
            return min(1.0, self.update / plan.updates) if plan.updates else 1.0
        assert plan.minutes is not None
        return min(1.0, self._spent / (60 * plan.minutes)) if plan.minutes else 1.0

    @property
    def phase(self) -> str:
        return "imitation" if self.progress < self._plan.imitation else "reinforcement"

    def _clock(self) -> float:
        return time.process_time() + (0.0 if self.data_parallel is None else self.data_parallel.cpu)

    def _end(self, stop: int | None) -> str:
        if self.progress >= 1.0:
            return "done"
        if stop is not None and self.update >= stop:
            return f"stopped at update {self.update}, as asked"
        return "no better for long" if self._stale >= self._plan.patience else ""

    def _validated(self, training: float) -> ValidationReport:
        score = self._validate()
        self._stale += 1
        if score > self.best:
            self.best, self._stale, self._best_weights = score, 0, self._copy()
        return ValidationReport(self.update, self.phase, self.progress, training, score, self.best)

    def _copy(self) -> dict[str, Tensor]:
        return {name: tensor.clone() for name, tensor in self._learner.policy.state_dict().items()}

    def _identity(self) -> dict[str, Json]:
        """The plan but for its length: a longer run with the same plan may go on from a shorter one."""
        return {
            name: value for name, value in self._plan.to_json().items() if name not in ("updates", "minutes")
        }

    def _resume(self) -> bool:
        notes = read_notes(self._folder)
        if notes is None:
            return False
        if notes["plan"] != self._identity():
            raise UntrodError(f"{self._folder} has a course with another plan", HINT)
        self._best_weights = read_checkpoint(self._folder, self._learner)
        self.update, self._spent = int(notes["update"]), float(notes["spent"])
        self.best, self._stale = float(notes["best"]), int(notes["stale"])
        return True
