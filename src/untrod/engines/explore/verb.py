"""`untrod explore`: an app that is running, a world that nobody has seen, or a program, in so many steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

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

if TYPE_CHECKING:
    from untrod.core.budget import Budget
    from untrod.core.vocabulary import Json
    from untrod.engines.explore.counts import ExploreCounts
    from untrod.engines.explore.engine import ExploreConfig
    from untrod.runtime.limits import Limits
    from untrod.session.run import Run

LONGEST = 300.0
"""Seconds of a step: the first one may have to log in."""
LONGEST_PRACTICE = 86_400.0

WalkerName = Annotated[
    str | None,
    typer.Option(
        "--walker",
        help="learned, random, rand-dfs, dfs, frontier, tabular-q, planner or full-knowledge. "
        "Default: learned, where weights come with untrod and torch is there.",
    ),
]
WeightsFolder = Annotated[
    Path | None,
    typer.Option("--weights", metavar="DIR", help="Weights made by `untrod train`."),
]
FineTune = Annotated[
    int,
    typer.Option(
        "--fine-tune", min=0, max=10_000, metavar="N", help="Practise on this very world first: N updates."
    ),
]
Steps = Annotated[
    int | None, typer.Option("--steps", min=1, max=MOST, metavar="T", help="How many steps it may take.")
]
Inputs = Annotated[int, typer.Option("--inputs", min=1, max=100_000, help="How many inputs to run at most.")]
Program = Annotated[str, typer.Argument(metavar="PROGRAM", help="A file, or the program itself.")]


def screens(
    target: Annotated[
        str, typer.Argument(metavar="URL|FILE", help="A page that is being served, or a screen graph.")
    ],
    steps: Annotated[
        int, typer.Option("--steps", min=1, max=MOST, metavar="T", help="Resets count, too.")
    ] = 100,
    walker: Annotated[str, typer.Option("--walker", help="labels, frontier or random.")] = "labels",
    setup: Annotated[
        Path | None, typer.Option("--setup", metavar="FILE", help="Python: how to log in, what to type.")
    ] = None,
    origin: Annotated[
        list[str] | None, typer.Option("--origin", metavar="URL", help="Also go here. Repeatable.")
    ] = None,
    headed: Annotated[bool, typer.Option("--headed", help="Show the browser.")] = False,
    log_out: Annotated[bool, typer.Option("--log-out", help="Also click on what logs out.")] = False,
    budget: BudgetText = "1h",
    allow: Allow = None,
    seed: Seed = 0,
    tests: TestsFolder = TESTS,
    store: StoreFolder = STORE,
    project: Project = None,
) -> Run[ExploreCounts]:
    """Explore the screens of an app. Draws them with how often each was visited.

    What goes wrong by the way is a finding. What is recorded is kept in the store: `untrod gui` on the
    same target starts from it.
    """
    from untrod.core.catalogue import nearest
    from untrod.core.errors import UntrodError
    from untrod.drivers.catalogue import DRIVERS, driver_for, needs
    from untrod.drivers.protocol import DriverOptions
    from untrod.engines.explore.engine import SCREENS, ExploreConfig
    from untrod.engines.explore.live.walk import WAYS
    from untrod.runtime.limits import UNLIMITED_MB, Limits, permissions

    if walker not in WAYS:
        raise UntrodError(f"there is no way {walker!r} to explore an app", nearest(walker, WAYS))
    root, driver, origins = Path(project or Path.cwd()), driver_for(target), tuple(origin or ())
    script = str(setup or "")
    DRIVERS.find(driver).check(DriverOptions(target, root, origins=origins, setup=script))
    config = ExploreConfig(
        SCREENS,
        target,
        steps,
        walker,
        driver=driver,
        origins=origins,
        setup=script,
        headed=headed,
        log_out=log_out,
    )
    memory = UNLIMITED_MB if driver == "web" else Limits().memory_mb
    limits = Limits(memory, episode_wall=LONGEST, episode_cpu=LONGEST, idle_wall=LONGEST)
    allowed = permissions(allow or ()) | needs(driver, (target, *origins))
    return _Terms(seed, budget, store, root).run(config, limits, tests, allowed)


def maze(
    side: Annotated[int, typer.Option("--side", min=2, max=100, help="Cells on a side.")] = 6,
    braided: Annotated[bool, typer.Option("--braided", help="Without 65% of the remaining walls.")] = False,
    seed: Seed = 0,
    steps: Steps = None,
    walker: WalkerName = None,
    weights: WeightsFolder = None,
    fine_tune: FineTune = 0,
    budget: BudgetText = "1h",
    store: StoreFolder = STORE,
    project: Project = None,
) -> Run[ExploreCounts]:
    """A maze of this seed. Draws how often each cell was visited."""
    target = f"{'braided-' if braided else ''}maze-{side}"
    world = {"kind": "maze", "target": target, "side": side, "braided": braided, "steps": steps or 0}
    return _walk(world, walker, weights, fine_tune, _Terms(seed, budget, store, Path(project or "")))


def app_graph(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A recorded screen graph, as JSON.")],
    seed: Seed = 0,
    steps: Steps = None,
    walker: WalkerName = None,
    weights: WeightsFolder = None,
    fine_tune: FineTune = 0,
    budget: BudgetText = "1h",
    store: StoreFolder = STORE,
    project: Project = None,
) -> Run[ExploreCounts]:
    """A recorded app. Lists the screens in the order of their first visits, with how often each was visited.

    Without --steps, it may take as many steps as there are screens to reach.
    """
    world = {"kind": "app-graph", "target": str(file), "steps": steps or 0}
    return _walk(world, walker, weights, fine_tune, _Terms(seed, budget, store, Path(project or "")))


def robustfill(
    program: Program,
    inputs: Inputs = 5,
    longest: Annotated[int, typer.Option("--longest", min=1, max=1_000, help="Characters of an input.")] = 20,
    explorer: Annotated[
        str | None, typer.Option("--explorer", help="trained, expert, random or hill-climbing.")
    ] = None,
    weights: WeightsFolder = None,
    fine_tune: FineTune = 0,
    seed: Seed = 0,
    budget: BudgetText = "1h",
    store: StoreFolder = STORE,
    project: Project = None,
) -> Run[ExploreCounts]:
    """Texts for a RobustFill program, until everything is covered or they are used up."""
    world = {"kind": "robustfill", "longest": longest, "steps": inputs}
    terms = _Terms(seed, budget, store, Path(project or ""))
    return _program(world, program, explorer, weights, fine_tune, terms)


def karel(
    program: Program,
    inputs: Inputs = 5,
    measure: Annotated[str, typer.Option("--measure", help="blocks, or outcomes of conditions.")] = "blocks",
    explorer: Annotated[
        str | None, typer.Option("--explorer", help="trained, directed, expert, z3, random or hill-climbing.")
    ] = None,
    weights: WeightsFolder = None,
    fine_tune: FineTune = 0,
    seed: Seed = 0,
    budget: BudgetText = "1h",
    store: StoreFolder = STORE,
    project: Project = None,
) -> Run[ExploreCounts]:
    """Grids for a Karel program, until everything is covered or they are used up."""
    world = {"kind": "karel", "measure": measure, "steps": inputs}
    terms = _Terms(seed, budget, store, Path(project or ""))
    return _program(world, program, explorer, weights, fine_tune, terms)


class _Explore:
    """`untrod.explore(URL)` is `untrod.explore.screens(URL)`. Implements `session.verbs.VerbGroup`."""

    about = "Explore a world, in so many steps. With a URL: the screens of an app."
    default = "screens"
    verbs: ClassVar[Mapping[str, Callable[..., Any]]] = {
        "screens": screens,
        "maze": maze,
        "app-graph": app_graph,
        "robustfill": robustfill,
        "karel": karel,
    }
    __call__ = staticmethod(screens)
    screens = staticmethod(screens)
    maze = staticmethod(maze)
    app_graph = staticmethod(app_graph)
    robustfill = staticmethod(robustfill)
    karel = staticmethod(karel)


explore = _Explore()


@dataclass(frozen=True)
class _Terms:
    """What all of these verbs take."""

    seed: int
    budget: str | Budget
    store: Path
    project: Path

    def run(
        self,
        config: ExploreConfig,
        limits: Limits,
        tests: Path = TESTS,
        allow: frozenset[str] = frozenset(),
    ) -> Run[ExploreCounts]:
        from untrod.session.run import Run, RunOptions

        running = RunOptions(self.project.absolute(), Path(self.store), Path(tests), limits, allow)
        return Run.new("explore", config.target, config.to_json(), self.seed, self.budget, running)


def _walk(
    world: dict[str, Json], walker: str | None, weights: Path | None, practice: int, terms: _Terms
) -> Run[ExploreCounts]:
    from untrod.engines.explore.engine import ExploreConfig
    from untrod.engines.explore.walk_search import world_of
    from untrod.engines.explore.walkers.choice import choose_walker

    graph, _ = world_of({**world, "seed": terms.seed, "project": str(terms.project)})
    task = "braided" if world.get("braided") else world["kind"]
    choice = choose_walker(walker, weights, practice, task, graph.reachable, terms.project)
    config = ExploreConfig(
        **world, walker=choice.name, line=choice.line, weights=str(weights or ""), fine_tune=practice
    )
    return terms.run(config, _limits(config))


def _program(
    world: dict[str, Json],
    program: str,
    explorer: str | None,
    weights: Path | None,
    practice: int,
    terms: _Terms,
) -> Run[ExploreCounts]:
    from untrod.engines.explore.engine import ExploreConfig
    from untrod.engines.explore.programs.choice import choose_explorer
    from untrod.engines.explore.programs.search import program_of
    from untrod.engines.explore.programs.tasks import program_text

    kind = world["kind"]
    text = program_text(program, kind, terms.project)
    program_of({**world, "program": text})  # complains, if it is none
    choice = choose_explorer(explorer, weights, practice, kind, terms.project)
    config = ExploreConfig(
        **world,
        target=kind if text == program else program,
        walker=choice.name,
        line=choice.line,
        weights=str(weights or ""),
        fine_tune=practice,
        program=text,
    )
    return terms.run(config, _limits(config))


def _limits(config: ExploreConfig) -> Limits:
    """An episode is a step; practice comes before the first one."""
    from untrod.runtime.limits import UNLIMITED_MB, Limits

    memory = UNLIMITED_MB if config.walker in ("learned", "trained") else Limits().memory_mb
    patience = LONGEST_PRACTICE if config.fine_tune else LONGEST
    return Limits(memory, episode_wall=LONGEST, episode_cpu=LONGEST, idle_wall=patience)
