"""A course in the store: listed with the campaigns, with its learning curve on a page of its own."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from untrod.core.budget import Budget
from untrod.core.events import CampaignFinished, CampaignStarted, Progress
from untrod.core.vocabulary import Json
from untrod.engines.explore.engine import TRAIN
from untrod.runtime.limits import Limits
from untrod.session.options import TESTS
from untrod.session.places import to_write
from untrod.session.trust import Running
from untrod.store import Store
from untrod.store.campaigns import CampaignRow
from untrod.store.owner import Owner
from untrod.store.recorder import Recorder

if TYPE_CHECKING:
    from untrod.engines.explore.programs.trainer import ProgramTrainer
    from untrod.engines.explore.trainer import ValidationReport
    from untrod.engines.explore.verbs.train_course import Terms
    from untrod.engines.explore.walk_trainer import WalkTrainer


class CourseRow:
    """What is told of a course while it goes on. Episodes are updates of the weights."""

    def __init__(self, row: CampaignRow, recorder: Recorder) -> None:
        self._row = row
        self._recorder = recorder
        self._begun = time.monotonic(), time.process_time()
        self._counts = (row.episodes, row.episodes, 0, 0)
        self._extra: dict[str, Json] = {}
        self._reason = "interrupted"
        recorder(
            CampaignStarted(row.id, row.engine, row.target, row.seed, row.budget.to_json(), row.episodes)
        )

    def tell(self, look: ValidationReport) -> None:
        self._counts = (look.update, look.update, 0, 0)
        self._extra = {
            "validation": round(look.validation, 4),
            "best": round(look.best, 4),
            "status": f"{look.phase}, coverage of validation worlds {look.best:.3f} at best",
        }
        self._recorder(Progress(*self._counts, *self._times(), self._extra))

    def finish(self, reason: str) -> None:
        self._reason = reason

    def close(self) -> None:
        self._recorder(
            CampaignFinished(self._row.id, self._reason, *self._counts, *self._times(), self._extra)
        )
        self._recorder.close()

    def _times(self) -> tuple[float, float]:
        """Wall and CPU time so far; the CPU time of other processes is not in it."""
        wall, cpu = self._begun
        return self._row.wall + time.monotonic() - wall, self._row.cpu + time.process_time() - cpu


@contextmanager
def recorded(
    course: WalkTrainer | ProgramTrainer, terms: Terms, task: str, command: str
) -> Iterator[CourseRow]:
    project = Path.cwd()
    folder = str((project / terms.folder(task)).absolute())
    with Store.open(to_write(project, terms.store, "--store")) as store:
        row = _row_of(store, folder) if course.resumed else None
        row = row or _new_row(store, course, terms, task, folder, command)
        with store.lock(row.id):
            told = CourseRow(row, store.recorder(row.id))
            try:
                yield told
            finally:
                told.close()


def _row_of(store: Store, folder: str) -> CampaignRow | None:
    """Of the course that goes on: it wrote to the same folder."""
    wanted = [TRAIN, folder]
    found = (row for row in store.campaigns() if [row.config.get("kind"), row.config.get("out")] == wanted)
    return max(found, key=lambda row: row.updated_at, default=None)


def _new_row(
    store: Store,
    course: WalkTrainer | ProgramTrainer,
    terms: Terms,
    task: str,
    folder: str,
    command: str,
) -> CampaignRow:
    plan, target = course.plan, f"train {task}"
    budget = Budget(plan.updates, cpu=None if plan.minutes is None else 60.0 * plan.minutes)
    session = Running(Limits(), frozenset(), plan.workers, TESTS, terms.on).to_json()
    config: dict[str, Json] = {"kind": TRAIN, "out": folder, "command": command, "session": session}
    config = Owner.here(Path.cwd()).marked("explore", target, config, plan.seed)
    return store.create_campaign("explore", target, config, plan.seed, budget)
