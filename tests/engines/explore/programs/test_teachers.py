"""Teachers: what they advise covers more than what explorers propose without trying."""

from __future__ import annotations

from random import Random
from statistics import fmean

import pytest

pytest.importorskip("numpy")

from untrod.engines.explore.programs.karel import expert as karel
from untrod.engines.explore.programs.robustfill import expert as robustfill
from untrod.engines.explore.programs.tasks import read_karel, read_robustfill, task
from untrod.engines.explore.programs.world import share


@pytest.mark.parametrize(
    ("name", "advise", "least"), [("robustfill", robustfill.advise, 0.9), ("karel", karel.advise, 0.85)]
)
def test_one_advised_input_covers_most_of_a_program(name, advise, least) -> None:  # type: ignore[no-untyped-def]
    worlds = list(task(name).worlds(3, "validation", 60))
    assert fmean(share(world, world.run(advise(world, 0, Random(1)))) for world in worlds) > least


def test_the_plain_text_has_what_is_asked_for_in_a_fixed_order() -> None:
    one, other = '(GetUpto("%"), GetToken(Digit, 2))', '(GetToken(Digit, 2), GetUpto("%"))'
    texts = [robustfill.advise(read_robustfill(f"Concat{each}"), 0, Random(1)) for each in (one, other)]
    assert texts[0] == texts[1]
    assert texts[0] is not None
    assert texts[0].startswith("7 7%")


def test_only_what_is_missing_is_asked_for() -> None:
    world = read_robustfill('Concat(GetUpto("%"), GetToken(Digit, 2))')
    assert robustfill.advise(world, 1, Random(1)) == "7 7Ab7 Ab7 Ab7 Ab7 A"


def test_karel_is_given_an_empty_grid_with_what_the_program_asks_for() -> None:
    world = read_karel("def run() { move(); if (markersPresent()) { pickMarker(); } }")
    grid = karel.advise(world, 0, Random(1))
    assert grid is not None
    assert [cell for cell, held in enumerate(grid.cells) if held] == [grid.hero - 8]
    assert grid.facing == 0


def test_nothing_is_advised_where_nothing_helps() -> None:
    world = read_karel("def run() { if (markersPresent()) { pickMarker(); } }")
    assert karel.advise(world, world.counted, Random(1)) is None
