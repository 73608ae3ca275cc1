"""`untrod train --workers 4 --on ray`: who plays the episodes, and where."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from untrod.engines.explore.plan import Plan
    from untrod.engines.explore.programs.plan import ProgramPlan
    from untrod.engines.explore.schooling import Schooling

MEMORY = 8192
"""MB of address space: torch takes some for itself."""
LONGEST = 600.0
"""Seconds of a part of an update; lessons in Karel take long to make."""


@contextmanager
def with_crew(course: Schooling, plan: Plan | ProgramPlan, on: str) -> Iterator[None]:
    """`on` is as `runtime.workers.place` gives it. One worker here is this process itself."""
    if plan.workers == 1 and not on:
        yield
        return
    from untrod.engines.explore.crew import WorkerCrew
    from untrod.engines.explore.programs.plan import ProgramPlan
    from untrod.engines.explore.tutor import JOB
    from untrod.runtime.limits import Limits
    from untrod.runtime.workers import workers_on

    spec = {"programs": isinstance(plan, ProgramPlan), "plan": plan.to_json()}
    with workers_on(
        on,
        JOB,
        [spec] * plan.workers,
        limits=Limits(memory_mb=MEMORY, idle_wall=LONGEST),
        allow=frozenset(),
        project=Path.cwd(),
        scratch=Path(tempfile.gettempdir()),
    ) as workers:
        workers.start()
        course.crew = WorkerCrew(workers, plan.workers, plan.seed)
        try:
            yield
        finally:
            course.crew = None
