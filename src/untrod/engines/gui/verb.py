"""`untrod gui`: steps through an application that show what a formula says, or that break it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from untrod.session.options import (
    MOST,
    STORE,
    TESTS,
    Allow,
    BudgetText,
    Project,
    Seed,
    StoreFolder,
    TestsFolder,
)

STEP_SECONDS = 35.0

if TYPE_CHECKING:
    from untrod.engines.gui.counts import GuiCounts
    from untrod.session.run import Run


def gui(
    target: Annotated[
        str,
        typer.Argument(
            metavar="URL|FILE|PACKAGE", help="A page that is being served, a screen graph, or an Android app."
        ),
    ],
    spec: Annotated[
        list[str] | None,
        typer.Option("--spec", metavar="FORMULA|FILE", help="What to show: see docs/ltl.md. Repeatable."),
    ] = None,
    violate: Annotated[
        bool, typer.Option("--violate/--satisfy", help="Break the formulas instead of showing them.")
    ] = False,
    steps: Annotated[int, typer.Option("--steps", min=1, max=1000, help="Actions in an episode.")] = 8,
    driver: Annotated[
        str | None,
        typer.Option(
            "--driver", metavar="web|android|model", help="Default: by the target.", show_default=False
        ),
    ] = None,
    explorer: Annotated[
        str, typer.Option("--explorer", help="planner, farlead, random, monkey or qbe.")
    ] = "planner",
    episodes: Annotated[
        int | None, typer.Option("--episodes", min=1, max=MOST, help="At most so many.", show_default=False)
    ] = None,
    setup: Annotated[
        Path | None,
        typer.Option("--setup", metavar="FILE", help="Python: how to log in, to reset, what to type."),
    ] = None,
    origin: Annotated[
        list[str] | None, typer.Option("--origin", metavar="URL", help="Also go here. Repeatable.")
    ] = None,
    headed: Annotated[bool, typer.Option("--headed", help="Show the browser.")] = False,
    log_out: Annotated[bool, typer.Option("--log-out", help="Also click on what logs out.")] = False,
    serial: Annotated[str, typer.Option("--serial", help="Android: which device.", show_default=False)] = "",
    apk: Annotated[
        Path | None, typer.Option("--apk", metavar="FILE", help="Android: install this first.")
    ] = None,
    idle: Annotated[
        float,
        typer.Option(
            "--idle", min=0.0, max=3600.0, metavar="S", help="Android: how long `idle` waits for sleep."
        ),
    ] = 20.0,
    budget: BudgetText = "5m",
    allow: Allow = None,
    seed: Seed = 0,
    tests: TestsFolder = TESTS,
    store: StoreFolder = STORE,
    project: Project = None,
) -> Run[GuiCounts]:
    """Find the steps that satisfy a formula (or break it), make them few, and write them down as a test.

    Without --spec, it looks for uncaught exceptions, error responses and dead pages; on Android for crashes
    and hangs. What is learned about an application is kept, and the next run starts from it. Exits with 1
    when something was shown or broken.
    """
    from dataclasses import replace

    from untrod.core.budget import Budget
    from untrod.core.errors import UntrodError
    from untrod.drivers.catalogue import DRIVERS, driver_for, needs
    from untrod.drivers.protocol import DriverOptions
    from untrod.engines.gui.engine import GuiConfig
    from untrod.engines.gui.explorers.catalogue import EXPLORERS
    from untrod.engines.gui.specs import ANDROID_DEFAULTS, DEFAULTS, read_specs
    from untrod.runtime.limits import UNLIMITED_MB, Limits, permissions
    from untrod.session.run import Run, RunOptions

    root, allowed = Path(project or Path.cwd()), permissions(allow or ())
    if explorer not in EXPLORERS:
        raise UntrodError(f"there is no explorer {explorer!r}", f"choose from {', '.join(EXPLORERS)}")
    driver = driver or driver_for(target)
    asked = DriverOptions(target, root, origins=tuple(origin or ()), serial=serial, apk=str(apk or ""))
    DRIVERS.find(driver).check(asked)
    android = driver == "android"
    if not android and (serial or apk):
        raise UntrodError("--serial and --apk are for devices", "add: --driver android")
    defaults = ANDROID_DEFAULTS if android else DEFAULTS
    specs = read_specs(spec or [], violate=violate, folder=root, defaults=defaults)
    for each in specs:
        each.check(steps)
    config = GuiConfig(
        target=target,
        specs=tuple((each.text, each.violate, each.name) for each in specs),
        driver=driver,
        explorer=explorer,
        steps=steps,
        origins=tuple(origin or ()),
        setup=_checked_setup(setup, root),
        headed=headed,
        log_out=log_out,
        serial=serial,
        apk=str(apk or ""),
        idle=idle,
    )
    seconds = 60.0 + (STEP_SECONDS + idle * android) * steps * (1 + android)
    limits = Limits(memory_mb=UNLIMITED_MB, episode_wall=seconds, episode_cpu=seconds, idle_wall=seconds)
    running = RunOptions(
        project=root,
        store=Path(store),
        tests=Path(tests),
        limits=limits if driver != "model" else Limits(),
        allow=allowed | needs(driver, (target, *config.origins)),
    )
    limit = Budget.of(budget)
    limit = replace(limit, episodes=episodes) if episodes else limit
    return Run.new("gui", target, config.to_json(), seed, limit, running)


def _checked_setup(setup: Path | None, project: Path) -> str:
    if setup is None:
        return ""
    from untrod.core.errors import UntrodError
    from untrod.core.reading import is_regular

    if not is_regular(project / setup):
        raise UntrodError(f"there is no file {setup}", "give a Python file to --setup")
    return str(setup)  # it is run in a worker only
