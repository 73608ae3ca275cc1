"""What counts as coverage of a Karel program, its graph, and grids made on demand."""

from __future__ import annotations

from random import Random

import pytest

from untrod.core.errors import UntrodError
from untrod.engines.explore.programs.karel.demand import Demand
from untrod.engines.explore.programs.karel.grids import CELLS, Grid
from untrod.engines.explore.programs.karel.language import branches
from untrod.engines.explore.programs.karel.parsing import parse
from untrod.engines.explore.programs.karel.sampling import sample
from untrod.engines.explore.programs.karel.world import VOCABULARY, KarelWorld
from untrod.engines.explore.programs.world import CHILD, FLOW, missing, share

WALK = """
def run() {
    while (frontIsClear()) {
        move();
    }
    if (markersPresent()) {
        pickMarker();
    } else {
        repeat (2) {
            putMarker();
        }
    }
}"""
OPEN = Grid(bytes(CELLS), 0, 1)


def test_blocks_count_what_is_entered():
    world = KarelWorld(parse(WALK))
    mask = world.run(OPEN)
    assert share(world, mask) == pytest.approx(3 / 4)
    assert missing(world, mask) == ["line 5: if (markersPresent()) entered"]
    assert world.text(mask).splitlines()[3:6] == [
        "    4     }",
        "-   5     if (markersPresent()) {",
        "    6         pickMarker();",
    ]


def test_outcomes_count_both_answers_of_a_condition():
    world = KarelWorld(parse(WALK), "outcomes")
    assert share(world, world.run(OPEN)) == pytest.approx(3 / 4)
    assert world.name(1) == "line 2: while (frontIsClear()) left"
    assert share(world, world.run(Grid(bytes(CELLS), 0, 3))) == pytest.approx(2 / 4)


def test_what_cannot_be_reached_does_not_count():
    world = KarelWorld(parse("def run() { if (frontIsClear()) { if (not frontIsClear()) { move(); } } }"))
    assert world.counted == 0b001


def test_what_random_grids_miss_counts_when_a_grid_on_demand_reaches_it():
    """Ten markers in a row, one after the other, is next to nothing by chance."""
    body = "if (markersPresent()) { move(); " * 7 + "putMarker();" + "}" * 7
    world = KarelWorld(parse(f"def run() {{ {body} }}"))
    assert world.counted.bit_count() == 7


@pytest.mark.parametrize(
    ("body", "message"),
    [("move();", "nothing to cover"), ("pickMarker(); move(); repeat (2) { repeat (9) { move(); } }", "")],
)
def test_programs_without_branches_are_refused(body: str, message: str):
    program = parse(f"def run() {{ {body} }}")
    if message:
        with pytest.raises(UntrodError, match=message):
            KarelWorld(program)
    else:
        assert KarelWorld(program).counted == 0b11


def test_an_unknown_measure_is_refused():
    with pytest.raises(UntrodError, match="there is no measure 'lines'"):
        KarelWorld(parse(WALK), "lines")


def test_every_branch_of_a_sampled_program_can_be_reached():
    random = Random(1)
    for _ in range(20):
        program = sample(random)
        found = branches(program)
        assert any(branch.kind in ("leave", "skip", "else") for branch in found)
        blocks = sum(branch.block is not None for branch in found)
        assert KarelWorld(program).counted.bit_count() == blocks


@pytest.mark.parametrize("answer", [True, False])
@pytest.mark.parametrize("condition", ["markersPresent", "noMarkersPresent", "not markersPresent"])
def test_a_grid_on_demand_answers_as_it_was_decided(condition: str, answer: bool):
    world = KarelWorld(parse(f"def run() {{ if ({condition}()) {{ turnLeft(); }} else {{ turnRight(); }} }}"))
    for seed in range(10):
        grid = Demand(world.program, Random(seed), lambda statement: answer).grid
        assert world.run(grid) == (0b01 if answer else 0b10)


@pytest.mark.parametrize("answer", [True, False])
@pytest.mark.parametrize("condition", ["frontIsClear", "leftIsClear", "not rightIsClear"])
def test_beyond_the_edge_there_is_nothing_to_decide(condition: str, answer: bool):
    world = KarelWorld(parse(f"def run() {{ if ({condition}()) {{ turnLeft(); }} else {{ turnRight(); }} }}"))
    decided = 0
    for seed in range(80):
        asked: list[bool] = []
        grid = Demand(
            world.program, Random(seed), lambda statement, asked=asked: asked.append(1) or answer
        ).grid
        holds = answer if asked else condition.startswith("not")
        assert world.run(grid) == (0b01 if holds else 0b10)
        decided += len(asked)
    assert 0 < decided < 80


def test_a_grid_on_demand_keeps_the_run_from_crashing():
    program = parse("def run() { pickMarker(); move(); if (frontIsClear()) { move(); pickMarker(); } }")
    world = KarelWorld(program)
    ends = [world.ending(Demand(program, Random(seed), lambda statement: True).grid) for seed in range(60)]
    assert ends.count("ended") > 45  # the rest stand at the edge and look outside


def test_grids_on_demand_crash_less_often():
    random = Random(3)
    crashes = {"drawn": 0, "demanded": 0}
    for _ in range(30):
        world = KarelWorld(sample(random))
        for _ in range(10):
            drawn = world.inputs.draw(random)
            demanded = Demand(world.program, random, lambda statement: random.random() < 0.5).grid
            crashes["drawn"] += world.machine.run(drawn).end == "crashed"
            crashes["demanded"] += world.machine.run(demanded).end == "crashed"
    assert crashes["demanded"] < crashes["drawn"] / 2


def test_the_graph_has_a_node_for_every_branch():
    random = Random(4)
    names = {"repeat": "again"}
    for _ in range(20):
        program = sample(random)
        graph = KarelWorld(program).graph
        for node, branch in zip(graph.goals, branches(program), strict=True):
            assert VOCABULARY.words[graph.words[node][0]] == names.get(branch.kind, branch.kind)
        assert sum(kind == CHILD for *_, kind in graph.edges) == len(graph) - 1
        reached, frontier = {0}, [0]
        while frontier:
            here = frontier.pop()
            for source, to, kind in graph.edges:
                if kind == FLOW and source == here and to not in reached:
                    reached.add(to)
                    frontier.append(to)
        assert reached == set(range(len(graph)))
