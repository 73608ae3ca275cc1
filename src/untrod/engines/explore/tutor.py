"""A part of an update, inside a worker: weights in, gradient out (`crew.py` has the other end)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from untrod.core.errors import UntrodError
from untrod.core.protocols import Batch, Beacon
from untrod.core.vocabulary import Json, Trace
from untrod.engines.explore.crew import RANDOM, pack, parted, unpack
from untrod.engines.explore.schooling import Moment

if TYPE_CHECKING:
    from untrod.engines.explore.course import Course
    from untrod.engines.explore.programs.course import ProgramCourse

JOB = "untrod.engines.explore.tutor:TutorJob"
_NOWHERE = Path("course")
"""In the worker's scratch folder. Nothing is resumed from there, and nothing is written to it."""


class TutorJob:
    """Built from {programs, plan}: a course of that plan, which never takes a step of its own."""

    def __init__(self, spec: Json, beacon: Beacon) -> None:
        self._course = _course(spec)
        self._course.learner.gradient_only = True
        self._moment: Moment | None = None

    def restore(self, blob: bytes) -> Json:
        """Be where the course is."""
        head, packed = parted(blob)
        own, told = unpack(head)
        weights, _ = unpack(packed)
        learner = self._course.learner
        learner.generator.set_state(own[RANDOM])
        learner.policy.load_state_dict(weights)
        learner.optimiser.zero_grad()
        self._moment = Moment(**told)
        return {}

    def snapshot(self) -> bytes:
        """The gradient there."""
        if self._moment is None:
            raise UntrodError("a tutor without weights", "send `restore` first")
        reward = self._course.learn(self._moment)
        learner = self._course.learner
        named = learner.policy.named_parameters()
        tensors = {name: parameter.grad for name, parameter in named if parameter.grad is not None}
        return pack({**tensors, RANDOM: learner.generator.get_state()}, {"reward": reward})

    def run(self, batch: Batch) -> Json:
        raise UntrodError("a tutor runs no episodes of a campaign")

    def replay(self, trace: Trace) -> Json:
        raise UntrodError("a tutor has nothing to replay")

    def skip(self, episodes: list[tuple[int, bool]]) -> None:
        """There are none."""


def _course(spec: Json) -> Course | ProgramCourse:
    if spec["programs"]:
        from untrod.engines.explore.programs.course import ProgramCourse
        from untrod.engines.explore.programs.plan import ProgramPlan

        return ProgramCourse(ProgramPlan(**spec["plan"]), _NOWHERE)
    from untrod.engines.explore.course import Course
    from untrod.engines.explore.plan import Plan

    return Course(Plan(**spec["plan"]), _NOWHERE)
