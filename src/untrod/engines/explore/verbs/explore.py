"""`untrod explore`: walk through a world that nobody has seen, under a budget of steps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from untrod.core.text import one_line
from untrod.engines.explore.verbs import programs as explore_programs
from untrod.engines.explore.verbs import screens as explore_screens
from untrod.output.terminal import say
from untrod.session.options import MOST, AsJson, Seed

if TYPE_CHECKING:
    from untrod.engines.explore.worlds.world import Walk

app = typer.Typer(
    help="Explore a world, in so many steps. With a URL: the screens of an app.",
    no_args_is_help=True,
    rich_markup_mode=None,
    cls=explore_screens.UrlGroup,
)
app.command()(explore_screens.screens)
explore_programs.add_to(app)

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
    typer.Option("--weights", metavar="DIR", help="Walk by these weights, made by `untrod train`."),
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


@app.command()
def maze(
    side: Annotated[int, typer.Option("--side", min=2, max=100, help="Cells on a side.")] = 6,
    braided: Annotated[bool, typer.Option("--braided", help="Without 65% of the remaining walls.")] = False,
    seed: Seed = 0,
    steps: Steps = None,
    walker: WalkerName = None,
    weights: WeightsFolder = None,
    fine_tune: FineTune = 0,
    as_json: AsJson = False,
) -> int:
    """A maze of this seed. Draws how often each cell was visited."""
    from untrod.engines.explore.worlds.tasks import task
    from untrod.engines.explore.worlds.world import Walk

    name = "braided" if braided else "maze"
    family = task(name, side)
    world = Walk(family.world(seed, "held-out", 0), steps or family.steps)
    who = _walk(world, walker, weights, fine_tune, seed, name, as_json)
    if not as_json:
        for row in range(side):
            cells = (world.visits.get(row * side + column, 0) for column in range(side))
            say(" ".join(f"{visits or '.':>2}" for visits in cells))
    _tell(world, who, as_json)
    return 0


@app.command("app-graph")
def app_graph(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A recorded screen graph, as JSON.")],
    seed: Seed = 0,
    steps: Steps = None,
    walker: WalkerName = None,
    weights: WeightsFolder = None,
    fine_tune: FineTune = 0,
    as_json: AsJson = False,
) -> int:
    """A recorded app. Lists the screens in the order of their first visits, with how often each was visited.

    Without --steps, it may take as many steps as there are screens to reach.
    """
    from untrod.engines.explore.worlds.recorded import load_app
    from untrod.engines.explore.worlds.world import Walk

    graph = load_app(file)
    world = Walk(graph, steps or graph.reachable)
    who = _walk(world, walker, weights, fine_tune, seed, "app-graph", as_json)
    if not as_json:
        for node, visits in world.visits.items():
            say(f"{visits:>5}  {one_line(graph.names[node])}")
    _tell(world, who, as_json)
    return 0


def _walk(
    world: Walk, name: str | None, weights: Path | None, practice: int, seed: int, task: str, as_json: bool
) -> str:
    """Returns the walker's name."""
    from untrod.engines.explore.verbs.walkers import choose_walker
    from untrod.engines.explore.walkers.base import walk

    choice = choose_walker(name, weights, practice, seed, task, world)
    if not as_json:
        say(choice.line)
    walk(world, choice.walker)
    return choice.name


def _tell(world: Walk, walker: str, as_json: bool) -> None:
    graph = world.graph
    if as_json:
        names = graph.names or tuple(map(str, range(graph.nodes)))
        body = {
            "walker": walker,
            "coverage": round(world.coverage, 4),
            "visited": len(world.visits),
            "reachable": graph.reachable,
            "steps": len(world.path) - 1,
            "path": [names[node] for node in world.path],
        }
        print(json.dumps(body))
    else:
        say(
            f"{len(world.visits):,} of {graph.reachable:,} visited ({world.coverage:.0%}) "
            f"in {len(world.path) - 1:,} steps of {world.steps:,}"
        )
