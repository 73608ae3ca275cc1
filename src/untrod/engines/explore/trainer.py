"""What the plans of all courses share: everything that decides how a course goes, and nothing else.

What all courses of training share: looks at worlds that are not trained on, checkpoints, and an end.

A course needs no memory but its learner's: update n takes its worlds by their numbers and every other seed by
n. Stopped at any checkpoint and resumed, it goes on as if nothing had happened. The weights that count are
those that were best on the validation worlds; held-out worlds are looked at once, at the end.

An update may be shared among workers (`crew.py`): each plays a part of its worlds and hands in a gradient.
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
class CoursePlan:
    """`updates` or `minutes` (of CPU time) end it, whichever is given; with `updates` it is the same every
    time."""

    task: str
    seed: int = 0
    updates: int | None = None
    minutes: float | None = None
    batch: int = 64
    imitation: float = 0.0
    """The share of the course that is spent on imitating the teacher, before reinforcement."""
    rate: float = 3e-3
    entropy: float = 0.01
    hidden: int = 32
    rounds: int = 3
    history: bool = True
    evaluate: int = 25
    """Updates from one look at validation worlds to the next."""
    validation: int = 200
    patience: int = 40
    """So many looks without a new best end the course."""
    workers: int = 1
    """So many parts an update has, each with its share of the worlds. Who plays them decides nothing."""

    def to_json(self) -> dict[str, Json]:
        return asdict(self)


INTERRUPTED = "interrupted"
SAVE_SECONDS = 10.0
W = TypeVar("W")


@dataclass(frozen=True, slots=True)
class Look:
    """What a look at the validation worlds has shown."""

    update: int
    phase: str
    progress: float
    training: float
    validation: float
    best: float


@dataclass(frozen=True, slots=True)
class Moment:
    """All that an update depends on besides the weights and the random state; or one of its parts."""

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
        """For seeds: parts must not draw the same. An undivided update has none, as ever."""
        return (self.part, self.parts) if self.parts > 1 else ()


class Crew(Protocol):
    """Workers that play the parts of an update."""

    @property
    def cpu(self) -> float:
        """Seconds that they have used."""
        ...

    def update(self, learner: GradientLearner[Any], moment: Moment) -> float:
        """One step of the learner, along the mean of their gradients. Returns their mean reward."""
        ...


class Schooling(ABC):
    """Resumes what it finds in its folder. Raises UntrodError where that is another plan's course."""

    def __init__(self, length: CoursePlan, folder: Path, learner: GradientLearner[Any]) -> None:
        if length.updates is None and length.minutes is None:
            raise ValueError("a course ends after so many updates, or minutes")
        self._length, self._folder, self._descent = length, folder, learner
        self.crew: Crew | None = None
        self.update, self._spent, self._stale = 0, 0.0, 0
        self.best = -1.0
        self._best_weights = self._copy()
        self.resumed = self._resume()

    @abstractmethod
    def learn(self, moment: Moment) -> float:
        """One update, or a part of one. Returns the mean reward of its episodes."""

    @abstractmethod
    def _validate(self) -> float:
        """How good the policy is on the validation worlds."""

    def run(self, told: Callable[[Look], None] = lambda look: None, stop: int | None = None) -> str:
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
                if self.update % self._length.evaluate == 0:
                    told(self._look(fmean(recent)))
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
        if self.update % self._length.evaluate or self.best < 0:
            told(self._look(fmean(recent or [0.0])))
        self.save()
        self._descent.policy.load_state_dict(self._best_weights)
        return why

    def advance(self) -> float:
        """The next update. Returns the mean reward of its episodes."""
        moment = Moment(self.update, self.progress, self.phase == "imitation")
        reward = self.learn(moment) if self.crew is None else self.crew.update(self._descent, moment)
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
        write_checkpoint(self._folder, self._descent, self._best_weights, notes)

    @property
    def progress(self) -> float:
        """From 0 to 1."""
        plan = self._length
        if plan.updates is not None:
            return min(1.0, self.update / plan.updates) if plan.updates else 1.0
        assert plan.minutes is not None
        return min(1.0, self._spent / (60 * plan.minutes)) if plan.minutes else 1.0

    @property
    def phase(self) -> str:
        return "imitation" if self.progress < self._length.imitation else "reinforcement"

    def _clock(self) -> float:
        return time.process_time() + (0.0 if self.crew is None else self.crew.cpu)

    def _end(self, stop: int | None) -> str:
        if self.progress >= 1.0:
            return "done"
        if stop is not None and self.update >= stop:
            return f"stopped at update {self.update}, as asked"
        return "no better for long" if self._stale >= self._length.patience else ""

    def _look(self, training: float) -> Look:
        score = self._validate()
        self._stale += 1
        if score > self.best:
            self.best, self._stale, self._best_weights = score, 0, self._copy()
        return Look(self.update, self.phase, self.progress, training, score, self.best)

    def _copy(self) -> dict[str, Tensor]:
        return {name: tensor.clone() for name, tensor in self._descent.policy.state_dict().items()}

    def _identity(self) -> dict[str, Json]:
        """A longer course with the same plan may go on from a shorter one."""
        return {
            name: value
            for name, value in self._length.to_json().items()
            if name not in ("updates", "minutes")
        }

    def _resume(self) -> bool:
        notes = read_notes(self._folder)
        if notes is None:
            return False
        if notes["plan"] != self._identity():
            raise UntrodError(f"{self._folder} has a course with another plan", HINT)
        self._best_weights = read_checkpoint(self._folder, self._descent)
        self.update, self._spent = int(notes["update"]), float(notes["spent"])
        self.best, self._stale = float(notes["best"]), int(notes["stale"])
        return True
