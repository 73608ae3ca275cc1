"""`untrod cover`: a small test suite that takes every branch of a function, a class or a module."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from untrod.cli.options import (
    STORE,
    TESTS,
    Allow,
    AsJson,
    BudgetText,
    Memory,
    On,
    Seed,
    StoreFolder,
    TestsFolder,
    Timeout,
    Workers,
)

if TYPE_CHECKING:
    from untrod.core.budget import Budget
    from untrod.runtime.loading import TargetName


def cover(
    target: Annotated[
        str, typer.Argument(metavar="TARGET", help="file.py or package.module, or either with :name.")
    ],
    also: Annotated[
        list[str] | None,
        typer.Option("--also", metavar="MODULE", help="A module whose branches count too. Repeatable."),
    ] = None,
    shape: Annotated[
        list[str] | None,
        typer.Option(
            "--shape",
            metavar="[FUNCTION=]NAME",
            help="A function that gives the shape of the arguments, as for worst. Repeatable.",
        ),
    ] = None,
    searcher: Annotated[
        str, typer.Option("--searcher", help="How symbolic execution searches: see docs/cover.md.")
    ] = "auto",
    pruning: Annotated[
        str, typer.Option("--pruning", help="Which states it drops: homi, random, restarts, none.")
    ] = "homi",
    no_chance: Annotated[
        bool, typer.Option("--no-chance", help="Symbolic execution alone: nothing is drawn or mutated.")
    ] = False,
    budget: BudgetText = "60s",
    seed: Seed = 0,
    workers: Workers = 1,
    on: On = "here",
    memory: Memory = 2048,
    timeout: Timeout = 10.0,
    allow: Allow = None,
    tests: TestsFolder = TESTS,
    store: StoreFolder = STORE,
    as_json: AsJson = False,
) -> int:
    """Find inputs that take every branch, and write them as tests that pin what the code does today.

    Inputs are made from types (annotations, defaults, use) or the shapes that --shape names, by changing
    those that came close, and by symbolic execution. A second campaign on the same target starts from what
    the first one found. Exits with 1 when an input makes the code fail in a way that nobody seems to have
    meant.
    """
    from untrod.cli.session import Session
    from untrod.core.budget import Budget
    from untrod.engines.cover.arms.catalogue import check_names
    from untrod.engines.cover.engine import CoverConfig
    from untrod.runtime.limits import Limits, permissions
    from untrod.runtime.loading import TargetName
    from untrod.runtime.workers import place

    check_names(searcher, pruning, not no_chance)
    project = Path.cwd()
    named = TargetName.parse(target, project)
    spent = Budget.parse(budget)
    config = CoverConfig(
        target=named,
        also=tuple(TargetName.parse(text, project) for text in also or ()),
        shapes=tuple(_shape(text, named, project) for text in shape or ()),
        searcher=searcher,
        pruning=pruning,
        chance=not no_chance,
        timed=spent.episodes is None,
        timeout=timeout,
    )
    session = Session(
        project=project,
        store=store,
        tests=tests,
        as_json=as_json,
        limits=Limits(memory_mb=memory, episode_wall=timeout, episode_cpu=_most_cpu(timeout, spent)),
        allow=permissions(allow or ()),
        workers=workers,
        on=place(on),
    )
    return session.start("cover", target, config.to_json(), seed, spent)


def _most_cpu(timeout: float, budget: Budget) -> float:
    """For one run: a twentieth of the time there is, half a second at least. Runs are many, and all but the
    hopeless ones are short; a single one must not use up the campaign."""
    seconds = [limit for limit in (budget.wall, budget.cpu) if limit is not None]
    return min(timeout, max(0.5, min(seconds) / 20)) if seconds else timeout


def _shape(text: str, target: TargetName, project: Path) -> tuple[str, TargetName]:
    """`parse=texts`, or `texts` alone. A factory without a module is looked up in the target's own."""
    from untrod.runtime.loading import TargetName

    function, _, factory = text.rpartition("=")
    if ":" in factory or factory.endswith(".py"):
        return function, TargetName.parse(factory, project)
    return function, target.sibling(factory)
