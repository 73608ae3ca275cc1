"""What a hunt will do: tasks, in the order of their first turns."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.core.text import PATH, one_line
from untrod.hunting.changes import changed_since, touched
from untrod.hunting.discover import discover
from untrod.hunting.hunt import Setting
from untrod.hunting.promise import by_promise
from untrod.plugins import Task, every_engine


def planned(
    path: Path, setting: Setting, revision: str | None, only: Sequence[str], app: str | None
) -> tuple[tuple[Task, ...], tuple[str, ...]]:
    """Tasks and notices; no tasks where nothing differs from `revision`. Raises UntrodError where there is
    nothing to do at all."""
    engines = list(every_engine())
    order = turn_order()
    found = discover(path, setting.project, setting.tests)
    tasks = found.tasks
    if app is not None:
        tasks = (*tasks, *(task for engine in engines for task in engine.discover_app(app)))
    if unknown := set(only) - set(order):
        known = sorted(order, key=lambda verb: order[verb])
        raise UntrodError(f"--only {min(unknown)!r} is no engine", f"choose from {', '.join(known)}")
    if only:
        tasks = tuple(task for task in tasks if task.verb in only)
    place = os.path.relpath(path, setting.project)
    if not tasks:
        hint = "point it at a folder with Python modules or Hypothesis tests, or give --app URL"
        raise UntrodError(f"there is nothing to test in {place}", "; ".join([hint, *found.notices[:3]]))
    if revision is not None:
        changed = changed_since(revision, setting.project)
        tasks = tuple(task for task in tasks if not task.file or touched([task], changed))
        if not tasks:
            said = f"nothing that can be tested in {one_line(place, PATH)} differs from {one_line(revision)}"
            return (), (said, *found.notices)
    return by_promise(tasks, order), found.notices


def turn_order() -> dict[str, int]:
    """The verbs of a hunt, and which goes first."""
    return {verb: engine.turn_order for engine in every_engine() for verb in engine.hunted}
