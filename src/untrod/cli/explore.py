"""`untrod explore`: walk through a world that nobody has seen, under a budget of steps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from untrod.cli import explore_programs
from untrod.cli.options import AsJson, Seed

if TYPE_CHECKING:
    from untrod.engines.explore.walkers.base import Walker
    from untrod.engines.explore.worlds.world import Walk

app = typer.Typer(help="Explore a world, in so many steps.", no_args_is_help=True, rich_markup_mode=None)
explore_programs.add_to(app)

WalkerName = Annotated[
    str,
    typer.Option("--walker", help="random, rand-dfs, dfs, frontier, tabular-q, planner or full-knowledge."),
]
WeightsFolder = Annotated[
    Path | None,
    typer.Option("--weights", metavar="DIR", help="Walk by these weights, made by `untrod train`."),
]
FineTune = Annotated[
    int, typer.Option("--fine-tune", min=0, metavar="N", help="Practise on this very world first: N updates.")
]
Steps = Annotated[int | None, typer.Option("--steps", min=1, metavar="T", help="How many steps it may take.")]


@app.command()
def maze(
    side: Annotated[int, typer.Option("--side", min=2, max=100, help="Cells on a side.")] = 6,
    braided: Annotated[bool, typer.Option("--braided", help="Without 65% of the remaining walls.")] = False,
    seed: Seed = 0,
    steps: Steps = None,
    walker: WalkerName = "frontier",
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
    _walk(world, walker, weights, fine_tune, seed, name)
    if not as_json:
        for row in range(side):
            cells = (world.visits.get(row * side + column, 0) for column in range(side))
            print(" ".join(f"{visits or '.':>2}" for visits in cells))
    _tell(world, as_json)
    return 0


@app.command("app-graph")
def app_graph(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A recorded screen graph, as JSON.")],
    seed: Seed = 0,
    steps: Steps = None,
    walker: WalkerName = "frontier",
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
    _walk(world, walker, weights, fine_tune, seed, "app-graph")
    if not as_json:
        for node, visits in world.visits.items():
            print(f"{visits:>5}  {graph.names[node]}")
    _tell(world, as_json)
    return 0


def _walk(world: Walk, name: str, weights: Path | None, practice: int, seed: int, task: str) -> None:
    from untrod.core.errors import UntrodError
    from untrod.engines.explore.walkers.base import walk
    from untrod.engines.explore.walkers.catalogue import make_walker

    if practice and weights is None:
        raise UntrodError("--fine-tune needs weights to start from", "add --weights DIR")
    walker: Walker = (
        make_walker(name, seed, task) if weights is None else _learned(weights, world, practice, seed)
    )
    walk(world, walker)


def _learned(folder: Path, world: Walk, practice: int, seed: int) -> Walker:
    from untrod.cli.neural import require

    require("torch", "safetensors", "numpy")
    from untrod.engines.explore.fine_tuning import fine_tune
    from untrod.engines.explore.fleet import Moves
    from untrod.engines.explore.walkers.learned import Learned
    from untrod.engines.explore.weights import load_weights

    policy, manifest = load_weights(folder)
    moves: Moves = "steps" if manifest.get("moves") == "steps" else "aims"
    if practice:
        policy = fine_tune(policy, world.graph, world.steps, practice, seed, moves)
    return Learned(policy, moves)


def _tell(world: Walk, as_json: bool) -> None:
    graph = world.graph
    if as_json:
        names = graph.names or tuple(map(str, range(graph.nodes)))
        body = {
            "coverage": round(world.coverage, 4),
            "visited": len(world.visits),
            "reachable": graph.reachable,
            "steps": len(world.path) - 1,
            "path": [names[node] for node in world.path],
        }
        print(json.dumps(body))
    else:
        print(
            f"{len(world.visits):,} of {graph.reachable:,} visited ({world.coverage:.0%}) "
            f"in {len(world.path) - 1:,} steps of {world.steps:,}"
        )
