"""The verb `hunt`, for Python and for the command line: all engines that fit, on all of a project."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from untrod.session.options import (
    STORE,
    TESTS,
    Allow,
    BudgetText,
    Memory,
    On,
    Project,
    Seed,
    StoreFolder,
    TestsFolder,
)

if TYPE_CHECKING:
    from untrod.hunt.run import HuntRun


def hunt(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A file or folder of the project.")] = Path(
        "."
    ),
    *,
    changed_since: Annotated[
        str | None,
        typer.Option("--changed-since", metavar="REV", help="Only what differs from this git revision."),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only", metavar="VERB", help="Only this engine: cover, worst, inputs, gui, explore. Repeatable."
        ),
    ] = None,
    app: Annotated[
        str | None,
        typer.Option("--app", metavar="URL", help="A web application of the project, by its address."),
    ] = None,
    start: Annotated[
        str | None, typer.Option("--start", metavar="CMD", help="Starts the application of --app.")
    ] = None,
    coverage: Annotated[
        bool, typer.Option(help="Run the project's tests for coverage before and after.")
    ] = True,
    budget: BudgetText = "5m",
    seed: Seed = 0,
    workers: Annotated[
        int, typer.Option("--workers", min=1, max=64, help="Turns that run side by side.")
    ] = max(1, min(4, os.cpu_count() or 1)),
    on: On = "here",
    memory: Memory = 2048,
    allow: Allow = None,
    tests: TestsFolder = TESTS,
    store: StoreFolder = STORE,
    project: Project = None,
) -> HuntRun:
    """Find what can be tested, share the time by what pays, and end with tests, ranked findings and coverage.

    Typed functions and modules go to `cover`, functions over inputs of a size to `worst`, Hypothesis tests to
    `inputs`, an application given by --app to `explore` and `gui`. Exits with 1 when there are findings.
    """
    from untrod.core.budget import Budget
    from untrod.core.errors import UntrodError
    from untrod.hunt.hunt import Setting
    from untrod.hunt.plan import planned
    from untrod.hunt.run import HuntRun
    from untrod.runtime.limits import permissions
    from untrod.runtime.workers import place
    from untrod.session.places import to_write

    where = place(on)
    if start and not app:
        raise UntrodError("--start needs --app", "say at which address the application will answer")
    whole = Budget.of(budget)
    if [whole.wall, whole.cpu, whole.episodes].count(None) != 2:
        raise UntrodError(f"a hunt cannot have the budget {budget!r}", "give a time like 5m, or episodes")
    permissions(allow or ())  # complains now, not in every turn
    flags = ["--memory", str(memory), *(word for what in allow or () for word in ("--allow", what))]
    root = Path(project or Path.cwd())
    setting = Setting(
        root, store, tests, whole, seed, workers, tuple(flags), where, tuple(allow or ()), memory
    )
    to_write(root, tests, "--tests")
    to_write(root, store, "--store")
    tasks, notices = planned(root / path, setting, changed_since, only or [], app)
    return HuntRun(tasks, notices, setting, app=app, start=start, coverage=coverage)
