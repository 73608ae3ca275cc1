"""`untrod cover`: a small test suite that takes every branch of a function, a class or a module."""

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
    Timeout,
    Workers,
)

if TYPE_CHECKING:
    from untrod.core.budget import Budget
    from untrod.engines.cover.counts import CoverCounts
    from untrod.runtime.loading import TargetName
    from untrod.session.run import Run


def cover(
    target: Annotated[
        str,
        typer.Argument(metavar="TARGET", help="file.py or package.module, or either with :name; or file.c."),
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
    private: Annotated[
        bool,
        typer.Option(
            "--private",
            help="Call private code from the start, not only when nothing else reaches it.",
        ),
    ] = False,
    searcher: Annotated[
        str, typer.Option("--searcher", help="How symbolic execution searches: see docs/cover.md.")
    ] = "auto",
    pruning: Annotated[
        str, typer.Option("--pruning", help="Which states it drops: homi, random, restarts, none.")
    ] = "homi",
    no_chance: Annotated[
        bool, typer.Option("--no-chance", help="Symbolic execution alone: nothing is drawn or mutated.")
    ] = False,
    args: Annotated[
        str, typer.Option("--args", metavar="NxL", help="C: so many arguments of up to so many bytes.")
    ] = "",
    arg: Annotated[
        list[str] | None,
        typer.Option("--arg", metavar="TEXT", help="C: an argument that stays as it is, before the others."),
    ] = None,
    stdin: Annotated[
        int, typer.Option("--stdin", min=0, max=4096, metavar="L", help="C: bytes of standard input.")
    ] = 0,
    file: Annotated[
        list[str] | None,
        typer.Option("--file", metavar="NAME=L", help="C: a file that the program may read. Repeatable."),
    ] = None,
    cc_flags: Annotated[
        str, typer.Option("--cc-flags", metavar="FLAGS", help="C: for the compiler, at the end.")
    ] = "",
    binary: Annotated[
        str, typer.Option("--binary", metavar="PROGRAM", help="C: a static x86-64 program of yours.")
    ] = "",
    coverage_binary: Annotated[
        str,
        typer.Option("--coverage-binary", metavar="PROGRAM", help="C: the same, built with gcc --coverage."),
    ] = "",
    budget: BudgetText = "60s",
    seed: Seed = 0,
    workers: Workers = 1,
    on: On = "here",
    memory: Memory = 2048,
    timeout: Timeout = 10.0,
    allow: Allow = None,
    tests: TestsFolder = TESTS,
    store: StoreFolder = STORE,
    project: Project = None,
) -> Run[CoverCounts]:
    """Find inputs that take every branch, and write them as tests that pin what the code does today.

    Inputs are made from types (annotations, defaults, use) or the shapes that --shape names, by changing
    those that came close, and by symbolic execution. A second campaign on the same target starts from what
    the first one found. Exits with 1 when an input makes the code fail in a way that nobody seems to have
    meant.
    """
    from untrod.core.budget import Budget
    from untrod.core.errors import UntrodError
    from untrod.engines.cover.engine import CoverConfig
    from untrod.engines.cover.native.engine import NativeConfig
    from untrod.engines.cover.native.target import Options, is_native, parse_target
    from untrod.engines.cover.portfolio import check_names
    from untrod.runtime.limits import Limits, patience, permissions
    from untrod.runtime.loading import TargetName
    from untrod.runtime.workers import place
    from untrod.session.run import Run, RunOptions

    check_names(searcher, pruning, not no_chance)
    root = Path(project or Path.cwd())
    spent = Budget.of(budget)
    running = RunOptions(
        project=root,
        store=Path(store),
        tests=Path(tests),
        limits=Limits(
            memory_mb=memory,
            episode_wall=timeout,
            episode_cpu=_most_cpu(timeout, spent),
            idle_wall=patience(spent.seconds),
        ),
        allow=permissions(allow or ()),
        workers=workers,
        on=place(on),
    )
    options = Options(
        args, tuple(arg or ()), stdin, tuple(file or ()), cc_flags, binary, coverage_binary, tuple(also or ())
    )
    if is_native(target):
        if shape:
            raise UntrodError("a C program has no --shape", "use --args, --stdin and --file")
        program = NativeConfig(
            parse_target(target, options, root),
            searcher=searcher,
            pruning=pruning,
            chance=not no_chance,
            timed=spent.episodes is None,
            timeout=timeout,
        )
        return Run.new("native", target, program.to_json(), seed, spent, running)
    if options.given:
        raise UntrodError(f"{options.given} is for C programs, and {target} is none", "name a .c file")
    named = TargetName.parse(target, root)
    config = CoverConfig(
        target=named,
        also=tuple(TargetName.parse(text, root) for text in also or ()),
        shapes=tuple(_shape(text, named, root) for text in shape or ()),
        private=private,
        searcher=searcher,
        pruning=pruning,
        chance=not no_chance,
        timed=spent.episodes is None,
        timeout=timeout,
    )
    return Run.new("cover", target, config.to_json(), seed, spent, running)


def _most_cpu(timeout: float, budget: Budget) -> float:
    """For one run: a twentieth of the time there is, half a second at least. Runs are many, and all but the
    hopeless ones are short; a single one must not use up the campaign."""
    return timeout if budget.seconds is None else min(timeout, max(0.5, budget.seconds / 20))


def _shape(text: str, target: TargetName, project: Path) -> tuple[str, TargetName]:
    """`parse=texts`, or `texts` alone. A factory without a module is looked up in the target's own."""
    from untrod.runtime.loading import TargetName

    function, _, factory = text.rpartition("=")
    if ":" in factory or factory.endswith(".py"):
        return function, TargetName.parse(factory, project)
    return function, target.sibling(factory)
