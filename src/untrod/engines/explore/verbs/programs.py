"""`untrod explore robustfill` and `untrod explore karel`: inputs for a program, and what they cover."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from untrod.engines.explore.verbs.explorers import Asked, choose_explorer
from untrod.output.terminal import say
from untrod.session.options import AsJson, Seed

if TYPE_CHECKING:
    from untrod.engines.explore.programs.karel.world import KarelWorld
    from untrod.engines.explore.programs.robustfill.world import RobustFillWorld

Inputs = Annotated[int, typer.Option("--inputs", min=1, max=100_000, help="How many inputs to run at most.")]
Weights = Annotated[
    Path | None, typer.Option("--weights", metavar="DIR", help="Trained weights, instead of the package's.")
]
FineTune = Annotated[
    int, typer.Option("--fine-tune", min=0, max=10_000, metavar="N", help="First practise for N updates.")
]
Program = Annotated[str, typer.Argument(metavar="PROGRAM", help="A file, or the program itself.")]


def add_to(app: typer.Typer) -> None:
    """The two verbs, as commands of `app`."""
    app.command()(robustfill)
    app.command()(karel)


def robustfill(
    program: Program,
    inputs: Inputs = 5,
    longest: Annotated[int, typer.Option("--longest", min=1, max=1_000, help="Characters of an input.")] = 20,
    explorer: Annotated[
        str | None, typer.Option("--explorer", help="trained, expert, random or hill-climbing.")
    ] = None,
    weights: Weights = None,
    fine_tune: FineTune = 0,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> int:
    """Texts for a RobustFill program, until everything is covered or they are used up."""
    from untrod.engines.explore.programs import reading

    _tell(reading.robustfill(program, longest), Asked(explorer, weights, fine_tune, seed), inputs, as_json)
    return 0


def karel(
    program: Program,
    inputs: Inputs = 5,
    measure: Annotated[str, typer.Option("--measure", help="blocks, or outcomes of conditions.")] = "blocks",
    explorer: Annotated[
        str | None, typer.Option("--explorer", help="trained, directed, expert, z3, random or hill-climbing.")
    ] = None,
    weights: Weights = None,
    fine_tune: FineTune = 0,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> int:
    """Grids for a Karel program, until everything is covered or they are used up."""
    from untrod.engines.explore.programs import reading

    _tell(reading.karel(program, measure), Asked(explorer, weights, fine_tune, seed), inputs, as_json)
    return 0


def _tell(world: RobustFillWorld | KarelWorld, asked: Asked, inputs: int, as_json: bool) -> None:
    from untrod.engines.explore.programs import report
    from untrod.engines.explore.programs.explorers.base import explore

    choice = choose_explorer(asked, world, inputs)
    if not as_json:
        say(f"explorer: {choice.line}\n")
    tries = explore(world, choice.explorer, inputs)
    if as_json:
        print(json.dumps({"explorer": choice.explorer.name, **report.to_json(tries)}))
    else:
        say(report.text(tries), end="")
