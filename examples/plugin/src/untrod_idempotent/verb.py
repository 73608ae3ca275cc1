"""The verb, for Python and for the command line."""

from __future__ import annotations

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
    Workers,
)

if TYPE_CHECKING:
    from untrod.session.run import Run
    from untrod_idempotent.engine import IdempotentCounts


def idempotent(
    target: Annotated[str, typer.Argument(metavar="TARGET", help="A function of one text: file.py:name.")],
    *,
    longest: Annotated[int, typer.Option("--longest", min=1, help="Characters of a text, at most.")] = 6,
    budget: BudgetText = "10s",
    seed: Seed = 0,
    workers: Workers = 1,
    on: On = "here",
    memory: Memory = 2048,
    allow: Allow = None,
    tests: TestsFolder = TESTS,
    store: StoreFolder = STORE,
    project: Project = None,
) -> Run[IdempotentCounts]:
    """Find texts that a cleaning function does not leave alone the second time."""
    from untrod.runtime.limits import Limits, permissions
    from untrod.runtime.loading import TargetName
    from untrod.runtime.workers import place
    from untrod.session.run import Run, RunOptions
    from untrod_idempotent.engine import IdempotentConfig

    root = Path(project or Path.cwd())
    config = IdempotentConfig(TargetName.parse(target, root), longest)
    limits = Limits(memory_mb=memory)
    options = RunOptions(root, store, tests, limits, permissions(allow or ()), workers, place(on))
    return Run.new("idempotent", target, config.to_json(), seed, budget, options)
