"""What a learner has found out is told: the guilty, in the fewest words, and nobody else."""

from __future__ import annotations

from typing import Any

from untrod.learn.exonerate.learner import Exonerate
from untrod.learn.exonerate.suspects import NEAR, PATH, SITE, BlamedOption, Cell, Suspect, blamed_options


def cell(**records: tuple[int, int, float]) -> Cell:
    """By option, as `o3=(valid, invalid, log p)`."""
    made = Cell()
    for option, (valid, invalid, logp) in records.items():
        suspect = made[int(option[1:])] = Suspect(logp, 0.0)
        suspect.valid, suspect.invalid = valid, invalid
    return made


BASE = ("f:2:4", 5)


def test_only_what_was_often_tried_never_valid_and_is_to_blame_is_told() -> None:
    cells = {
        (SITE, BASE): cell(o0=(0, 40, -3.0), o1=(1, 40, -3.0), o2=(0, 40, -0.2), o3=(0, 4, -3.0)),
        (PATH, BASE, (None, 1), (7, 2)): cell(o4=(0, 90, -3.0)),
    }

    assert blamed_options(cells) == [BlamedOption("f:2:4", 0, 5, (), (), 40)]


def test_the_context_is_told_unless_it_makes_no_difference() -> None:
    cells = {
        (SITE, BASE): cell(o0=(0, 40, -3.0)),
        (NEAR, BASE, (None, 3)): cell(o0=(0, 30, -3.0), o1=(0, 20, -3.0)),
        (NEAR, BASE, (118, 8, 1)): cell(o1=(0, 25, -3.0)),
    }

    assert blamed_options(cells) == [
        BlamedOption("f:2:4", 0, 5, (), (), 40),
        BlamedOption("f:2:4", 1, 5, (), (8, 1), 25),
        BlamedOption("f:2:4", 1, 5, (3,), (), 20),
    ]
    assert blamed_options(cells, at_most=1) == [BlamedOption("f:2:4", 0, 5, (), (), 40)]


def test_context_that_the_target_gave_itself_is_told_as_it_is() -> None:
    cells = {(NEAR, BASE, "left", 3): cell(o0=(0, 30, -3.0))}

    assert blamed_options(cells) == [BlamedOption("f:2:4", 0, 5, ("left", 3), (), 30)]


def test_a_choice_that_no_valid_input_has_is_blamed(trees: Any) -> None:
    """Whatever the rest: an input with a 7 in it is rejected."""
    learner = Exonerate(1)

    trees.explore(
        learner, lambda choose: tuple(choose(range(10)) for _ in range(3)), lambda three: 7 not in three, 600
    )

    assert {each.option for each in blamed_options(learner.cells)} == {7}
