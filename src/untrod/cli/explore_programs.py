"""`untrod explore robustfill` and `untrod explore karel`: inputs for a program, and what they cover."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from untrod.cli.options import AsJson, Seed

if TYPE_CHECKING:
    from untrod.engines.explore.programs.karel.world import KarelWorld
    from untrod.engines.explore.programs.robustfill.world import RobustFillWorld

Inputs = Annotated[int, typer.Option("--inputs", min=1, max=100_000, help="How many inputs to run at most.")]
Program = Annotated[str, typer.Argument(metavar="PROGRAM", help="A file, or the program itself.")]


def add_to(app: typer.Typer) -> None:
    """The two verbs, as commands of `app`."""
    app.command()(robustfill)
    app.command()(karel)


def robustfill(
    program: Program,
    inputs: Inputs = 5,
    longest: Annotated[int, typer.Option("--longest", min=1, max=1_000, help="Characters of an input.")] = 20,
    explorer: Annotated[str, typer.Option("--explorer", help="expert, random or hill-climbing.")] = "expert",
    seed: Seed = 0,
    as_json: AsJson = False,
) -> int:
    """Texts for a RobustFill program, until everything is covered or they are used up."""
    from untrod.engines.explore.programs import reading

    _tell(reading.robustfill(program, longest), explorer, inputs, seed, as_json)
    return 0


def karel(
    program: Program,
    inputs: Inputs = 5,
    measure: Annotated[str, typer.Option("--measure", help="blocks, or outcomes of conditions.")] = "blocks",
    explorer: Annotated[
        str, typer.Option("--explorer", help="directed, expert, z3, random or hill-climbing.")
    ] = "directed",
    seed: Seed = 0,
    as_json: AsJson = False,
) -> int:
    """Grids for a Karel program, until everything is covered or they are used up."""
    from untrod.engines.explore.programs import reading

    _tell(reading.karel(program, measure), explorer, inputs, seed, as_json)
    return 0


def _tell(world: RobustFillWorld | KarelWorld, name: str, inputs: int, seed: int, as_json: bool) -> None:
    from untrod.engines.explore.programs import report
    from untrod.engines.explore.programs.explorers.base import explore
    from untrod.engines.explore.programs.explorers.catalogue import explorer

    tries = explore(world, explorer(name, world.kind, seed), inputs)
    print(json.dumps(report.to_json(tries)) if as_json else report.text(tries), end="\n" if as_json else "")
