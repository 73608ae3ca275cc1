"""`untrod inputs`: many different valid inputs for a generator, and the ones that break its property."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from untrod.cli.options import (
    STORE,
    TESTS,
    Allow,
    AsJson,
    BudgetText,
    Memory,
    Seed,
    StoreFolder,
    TestsFolder,
    Timeout,
    Workers,
    pairs,
)


def inputs(
    target: Annotated[
        str, typer.Argument(metavar="TARGET", help="The generator: file.py:name or module:name.")
    ],
    valid: Annotated[
        str | None,
        typer.Option("--valid", metavar="NAME", help="A function that says whether an input counts."),
    ] = None,
    test: Annotated[
        str | None,
        typer.Option("--test", metavar="NAME", help="A function that raises when the input breaks it."),
    ] = None,
    invalid: Annotated[
        list[str] | None,
        typer.Option(
            "--invalid", metavar="EXCEPTION", help="An exception that means `not valid`. Repeatable."
        ),
    ] = None,
    different: Annotated[
        str,
        typer.Option(
            "--different", metavar="BY", help="What tells inputs apart: value, choices, or a function."
        ),
    ] = "value",
    learner: Annotated[
        str, typer.Option("--learner", help="montecarlo, exonerate, auto (learns which to trust) or random.")
    ] = "montecarlo",
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A setting of the learner. Repeatable."),
    ] = None,
    budget: BudgetText = "30s",
    seed: Seed = 0,
    workers: Workers = 1,
    memory: Memory = 2048,
    timeout: Timeout = 10.0,
    allow: Allow = None,
    keep: Annotated[int, typer.Option("--keep", min=0, help="How many different inputs to store.")] = 10_000,
    tests: TestsFolder = TESTS,
    store: StoreFolder = STORE,
    as_json: AsJson = False,
) -> int:
    """Generate many different valid inputs, learning from each one how to make the next.

    A generator is a plain function that receives `choose`; names without a module are looked up in the
    generator's own.
    """
    from untrod.cli.session import Session
    from untrod.core.budget import Budget
    from untrod.engines.inputs.engine import InputsConfig
    from untrod.learn.catalogue import make_learner
    from untrod.runtime.limits import Limits, permissions
    from untrod.runtime.loading import TargetName, exception_name

    project = Path.cwd()
    generator = TargetName.parse(target, project)

    def named(text: str) -> TargetName:
        if ":" in text or text.endswith(".py"):
            return TargetName.parse(text, project)
        return generator.sibling(text)

    config = InputsConfig(
        generator=generator,
        valid=named(valid) if valid else None,
        test=named(test) if test else None,
        invalid=tuple(exception_name(text) or named(text) for text in invalid or ()),
        characteristic=different if different in ("value", "choices") else named(different),
        learner=learner,
        settings=pairs(settings, "--set"),
        keep=keep,
    )
    make_learner(config.learner, 0, config.settings)  # complain now, not from inside a worker
    session = Session(
        project=project,
        store=store,
        tests=tests,
        as_json=as_json,
        limits=Limits(memory_mb=memory, episode_wall=timeout, episode_cpu=timeout),
        allow=permissions(allow or ()),
        workers=workers,
    )
    return session.start("inputs", target, config.to_json(), seed, Budget.parse(budget))
