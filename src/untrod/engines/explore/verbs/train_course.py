"""What `untrod train` does for every kind of task: the course, its workers, the scores and the weights."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from untrod.core.errors import UntrodError
from untrod.core.text import PATH, VALUE, one_line
from untrod.output.terminal import say
from untrod.session.options import STORE

if TYPE_CHECKING:
    from untrod.core.vocabulary import Json
    from untrod.engines.explore.programs.trainer import ProgramTrainer
    from untrod.engines.explore.trainer import ValidationReport
    from untrod.engines.explore.walk_trainer import WalkTrainer

MEMORY = 8192
"""MB of address space for a worker: torch takes some for itself."""
LONGEST = 600.0
"""Seconds of a part of an update; lessons in Karel take long to make."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How a person wants a course to be taken. `on` is as `runtime.workers.place` gives it."""

    out: Path | None
    stop: int | None
    worlds: int
    on: str
    as_json: bool
    store: Path = STORE

    def folder(self, task: str) -> Path:
        return self.out or Path("weights") / task


def take(
    course: WalkTrainer | ProgramTrainer,
    terms: Terms,
    about: dict[str, Json],
    measure: Callable[[], dict[str, Json]],
    report: Callable[[dict[str, Json]], None],
) -> int:
    """To its end; then `measure` on held-out worlds, and write the weights. `report` is for a person."""
    from untrod.engines.explore.trainer import INTERRUPTED
    from untrod.engines.explore.verbs.course_row import recorded
    from untrod.engines.explore.weights import save_weights

    folder = terms.folder(about["task"])
    if course.resumed and not terms.as_json:
        say(f"going on from update {course.update} in {one_line(str(folder), PATH)}")
    command = "untrod " + " ".join(sys.argv[1:])
    with recorded(course, terms, about["task"], command) as row:
        told_of = _tell_json if terms.as_json else _tell

        def tell(look: ValidationReport) -> None:
            row.tell(look)
            told_of(look)

        with with_crew(course, terms.on, _note_json if terms.as_json else _note):
            why = course.run(tell, terms.stop)
        if why == INTERRUPTED:
            return _interrupted(course, folder, terms.as_json)
        told: dict[str, Json] = {
            **about,
            "seed": course.plan.seed,
            "command": command,
            "updates": course.update,
            "scores": measure(),
        }
        save_weights(folder, course.policy, told)
        row.finish(why)
    if terms.as_json:
        print(json.dumps({"event": "trained", "why": why, "folder": str(folder), **told}))
    else:
        say(f"{why}; ", end="")
        report(told["scores"])
        say(f"weights: {one_line(str(folder), PATH)}")
    return 0


def _interrupted(course: WalkTrainer | ProgramTrainer, folder: Path, as_json: bool) -> int:
    """Measuring takes longer than anybody waits who has pressed Ctrl-C."""
    if as_json:
        print(json.dumps({"event": "interrupted", "folder": str(folder), "updates": course.update}))
    else:
        more = f"; with --stop {course.update} it measures and writes the weights" if course.update else ""
        kept = f"which is kept in {one_line(str(folder), PATH)}"
        say(f"interrupted at update {course.update:,}, {kept}: the same command goes on from there{more}")
    return 0


@contextmanager
def with_crew(course: WalkTrainer | ProgramTrainer, on: str, note: Callable[[str], None]) -> Iterator[None]:
    """One worker here is this process itself. `note` hears what is to be said of the others."""
    plan = course.plan
    if plan.workers > plan.fewest:
        raise UntrodError(
            f"{plan.workers} workers are more than the {plan.fewest} worlds of an update",
            f"--workers {plan.fewest}",
        )
    if plan.workers == 1 and not on:
        yield
        return
    from untrod.engines.explore.data_parallel import JOB, DataParallelTrainer
    from untrod.engines.explore.programs.trainer import ProgramPlan
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
        for text in workers.notices:
            note(text)
        course.data_parallel = DataParallelTrainer(workers, plan.workers, plan.seed)
        try:
            yield
        finally:
            course.data_parallel = None


def _note(text: str) -> None:
    say(f"note: {one_line(text, VALUE)}", to=sys.stderr)


def _note_json(text: str) -> None:
    print(json.dumps({"event": "notice", "text": text}), flush=True)


def _tell(look: ValidationReport) -> None:
    say(
        f"{look.progress:4.0%}  update {look.update:,}  {look.phase}  "
        f"validation {look.validation:.3f}  best {look.best:.3f}",
        flush=True,
    )


def _tell_json(look: ValidationReport) -> None:
    body = {
        "event": "look",
        "update": look.update,
        "phase": look.phase,
        "progress": round(look.progress, 4),
        "validation": round(look.validation, 4),
        "best": round(look.best, 4),
    }
    print(json.dumps(body), flush=True)
