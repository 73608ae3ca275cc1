"""`untrod inputs`: many different valid inputs for a generator, and the ones that break its property."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from untrod.core.errors import UntrodError
from untrod.core.reading import is_regular
from untrod.core.vocabulary import Json
from untrod.session.options import (
    MOST,
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
    pairs,
)

if TYPE_CHECKING:
    from untrod.engines.inputs.counts import InputsCounts
    from untrod.session.run import Run


def inputs(
    target: Annotated[
        str, typer.Argument(metavar="TARGET", help="A generator file.py:name, or a pytest path.")
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
            "--different",
            metavar="BY",
            help="What tells inputs apart: value, choices, shape, trace, or a function.",
        ),
    ] = "value",
    learner: Annotated[
        str | None,
        typer.Option("--learner", help="auto (learns which to trust), exonerate, montecarlo or random."),
    ] = None,
    reward: Annotated[
        str,
        typer.Option(
            "--reward", help="greybox (rejected inputs earn credit for how far they came) or blackbox."
        ),
    ] = "greybox",
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A setting of the learner. Repeatable."),
    ] = None,
    corpus: Annotated[
        Path | None,
        typer.Option("--corpus", metavar="FILE", help="Inputs to begin with, one per line. See the docs."),
    ] = None,
    observe: Annotated[
        Path | None,
        typer.Option(
            "--observe", metavar="FILE", help="Append a JSON line for each test case, as Tyche reads."
        ),
    ] = None,
    budget: BudgetText = "30s",
    seed: Seed = 0,
    workers: Workers = 1,
    on: On = "here",
    memory: Memory = 2048,
    timeout: Timeout = 10.0,
    allow: Allow = None,
    keep: Annotated[
        int, typer.Option("--keep", min=0, max=MOST, help="How many different inputs to store.")
    ] = 10_000,
    tests: TestsFolder = TESTS,
    store: StoreFolder = STORE,
    project: Project = None,
) -> Run[InputsCounts]:
    """Make many different valid inputs, learning from each how to make the next, and find what they break.

    TARGET is a generator, `file.py:name` or `module:name`: a plain function that receives `choose`. Names
    without a module are looked up in the generator's own. Or TARGET is what pytest would take,
    `tests/test_x.py::test_y`, a file or a folder: its Hypothesis tests are then run, unchanged, with the
    learner in charge.
    """
    from untrod.engines.inputs.backend.observe import ObservationFile
    from untrod.engines.inputs.corpus import read_corpus, traces_of
    from untrod.engines.inputs.target import check_reward
    from untrod.learn.catalogue import DEFAULT, make_learner
    from untrod.runtime.limits import Limits, permissions
    from untrod.runtime.workers import place
    from untrod.session.run import Run, RunOptions

    root = Path(project or Path.cwd())
    is_pytest = is_pytest_target(target, root)
    learner = learner or DEFAULT
    check_reward(reward)
    chosen = pairs(settings, "--set")
    make_learner(learner, 0, chosen)  # complain now, not from inside a worker
    lines = read_corpus(corpus) if corpus else []
    running = RunOptions(
        project=root,
        store=Path(store),
        tests=Path(tests),
        limits=Limits(memory_mb=memory, episode_wall=timeout, episode_cpu=timeout),
        allow=permissions(allow or ()),
        workers=workers,
        on=place(on),
    )
    if is_pytest:
        _refuse_options({"--valid": valid, "--test": test, "--invalid": invalid, "--set": settings})
        if observe:
            ObservationFile(root / observe).check()
        watched = str(observe) if observe else None
        config = _hypothesis_config(root, target, different, learner, reward, keep, lines, watched)
        return Run.new("hypothesis", target, config, seed, budget, running)
    if observe:
        raise UntrodError("--observe is for Hypothesis tests", "leave --observe out")
    config = _generator_config(
        root, target, valid, test, invalid or [], different, learner, reward, chosen, keep
    )
    config["corpus"] = traces_of(corpus, lines) if corpus else []
    return Run.new("inputs", target, config, seed, budget, running)


def is_pytest_target(target: str, project: Path) -> bool:
    """`tests/test_x.py`, `tests/test_x.py::test_y` or a folder, as against `file.py:generator`."""
    place, separator, _ = target.partition("::")
    if separator or os.path.isdir(project / place) or is_regular(project / target):
        return True
    return place.endswith(".py") and ":" not in place


def _refuse_options(given: dict[str, object]) -> None:
    for flag, value in given.items():
        if value:
            raise UntrodError(f"{flag} is for generators, a Hypothesis test has its own", f"leave {flag} out")


def _hypothesis_config(
    project: Path,
    target: str,
    different: str,
    learner: str,
    reward: str,
    keep: int,
    corpus: list[tuple[int, str]],
    observe: str | None,
) -> dict[str, Json]:
    from untrod.engines.inputs.backend.engine import HypothesisConfig
    from untrod.runtime.loading import TargetName

    named = TargetName.parse(different, project) if ":" in different else different
    path = f"./{target}" if target.startswith("-") else target  # or pytest takes it for an option
    return HypothesisConfig((path,), learner, named, reward, keep, tuple(corpus), observe).to_json()


def _generator_config(
    project: Path,
    target: str,
    valid: str | None,
    test: str | None,
    invalid: list[str],
    different: str,
    learner: str,
    reward: str,
    settings: dict[str, Json],
    keep: int,
) -> dict[str, Json]:
    from untrod.engines.inputs.engine import InputsConfig
    from untrod.engines.inputs.judge import CHARACTERISTICS
    from untrod.runtime.loading import TargetName, exception_name

    generator = TargetName.parse(target, project)

    def named(text: str) -> TargetName:
        if ":" in text or text.endswith(".py"):
            return TargetName.parse(text, project)
        return generator.sibling(text)

    return InputsConfig(
        generator=generator,
        valid=named(valid) if valid else None,
        test=named(test) if test else None,
        invalid=tuple(exception_name(text) or named(text) for text in invalid),
        characteristic=different if different in CHARACTERISTICS else named(different),
        learner=learner,
        reward=reward,
        settings=settings,
        keep=keep,
    ).to_json()
