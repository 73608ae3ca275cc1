"""What a hunt will do: tasks, in the order of their first turns."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.hunting.changes import changed_since, touched
from untrod.hunting.discover import discover
from untrod.hunting.hunt import Setting
from untrod.plugins import Task, every_engine


def planned(
    path: Path, setting: Setting, revision: str | None, only: Sequence[str], app: str | None
) -> tuple[tuple[Task, ...], tuple[str, ...]]:
    """Tasks and notices. Raises UntrodError where there is nothing to do."""
    engines = list(every_engine())
    order = {verb: engine.turn_order for engine in engines for verb in engine.hunted}
    found = discover(path, setting.project, setting.tests)
    tasks = found.tasks
    if revision is not None:
        tasks = touched(tasks, changed_since(revision, setting.project))
    if app is not None:
        tasks = (*tasks, *(task for engine in engines for task in engine.discover_app(app)))
    if unknown := set(only) - set(order):
        known = sorted(order, key=lambda verb: order[verb])
        raise UntrodError(f"--only {min(unknown)!r} is no engine", f"choose from {', '.join(known)}")
    if only:
        tasks = tuple(task for task in tasks if task.verb in only)
    if not tasks:
        what = f"nothing that differs from {revision}" if revision else "nothing"
        hint = "point it at a folder with Python modules or Hypothesis tests, or give --app URL"
        place = os.path.relpath(path, setting.project)
        raise UntrodError(f"there is {what} to test in {place}", "; ".join([hint, *found.notices[:3]]))
    return tuple(sorted(tasks, key=lambda task: order.get(task.verb, 100))), found.notices
