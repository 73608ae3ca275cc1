"""Worlds: how they are made, and what a walk through one may know and do."""

from __future__ import annotations

from random import Random

import pytest

from untrod.core.errors import UntrodError
from untrod.drivers.graph_reader import decode
from untrod.engines.explore.walk import Walk
from untrod.engines.explore.worlds.graph import Graph, reach
from untrod.engines.explore.worlds.recorded import load_app, recorded_app
from untrod.engines.explore.worlds.synthetic import (
    app,
    braided_maze,
    directed_app,
    grid_neighbours,
    perfect_maze,
)
from untrod.engines.explore.worlds.tasks import TASKS, task


def both_ways(graph: Graph) -> bool:
    return all(node in graph.links[other] for node, links in enumerate(graph.links) for other in links)


@pytest.mark.parametrize("side", [1, 2, 6, 15])
def test_a_perfect_maze_joins_all_cells_by_one_way_each(side: int) -> None:
    maze = perfect_maze(side, Random(3))
    assert maze.reachable == side * side == len(reach(maze.links, maze.start))
    assert sum(map(len, maze.links)) == 2 * (side * side - 1)
    assert both_ways(maze)
    assert all(set(links) <= set(grid_neighbours(cell, side)) for cell, links in enumerate(maze.links))


def test_a_braided_maze_has_lost_about_65_percent_of_its_remaining_walls() -> None:
    side, mazes = 6, 200
    lost = sum(sum(map(len, braided_maze(side, Random(n)).links)) // 2 - 35 for n in range(mazes))
    assert lost / mazes / (2 * side * (side - 1) - 35) == pytest.approx(0.65, abs=0.02)


def test_apps_have_15_to_20_screens_that_hang_together() -> None:
    apps = [app(Random(n)) for n in range(100)]
    assert {each.nodes for each in apps} == set(range(15, 21))
    assert all(len(reach(each.links, each.start)) == each.nodes for each in apps)
    assert all(both_ways(each) for each in apps)


def test_directed_apps_can_be_reached_as_a_whole_and_have_one_way_links_and_sinks() -> None:
    apps = [directed_app(Random(n)) for n in range(100)]
    assert all(len(reach(each.links, each.start)) == each.nodes == 20 for each in apps)
    assert not any(both_ways(each) for each in apps)
    sinks = sum(not links for each in apps for links in each.links)
    assert 1 < sinks / 100 < 3


@pytest.mark.parametrize("name", TASKS.names)
def test_a_world_depends_on_seed_split_and_number_only(name: str) -> None:
    family = task(name)
    assert family.world(0, "train", 7) == family.world(0, "train", 7)
    assert family.world(0, "train", 7) == list(family.worlds(0, "train", 3, first=6))[1]
    different = [family.world(0, "train", 8), family.world(0, "held-out", 7), family.world(1, "train", 7)]
    assert family.world(0, "train", 7) not in different


def test_an_unknown_task_is_answered_with_the_nearest() -> None:
    with pytest.raises(UntrodError, match="did you mean braided"):
        task("braidd")


LINE = Graph.build([[1], [0, 2], [1], []], 0)
"""0 - 1 - 2, and a node that cannot be reached."""


def test_a_walk_knows_the_links_of_visited_nodes_only() -> None:
    walk = Walk(LINE, 9)
    assert walk.neighbours(0) == (1,)
    with pytest.raises(ValueError, match="not visited"):
        walk.neighbours(1)
    walk.step(1)
    assert walk.neighbours(1) == (0, 2)


def test_coverage_counts_what_can_be_reached_and_the_start() -> None:
    walk = Walk(LINE, 9)
    assert walk.coverage == pytest.approx(1 / 3)
    assert walk.step(1)
    assert not walk.step(0)
    assert (walk.coverage, walk.left, walk.visits) == (pytest.approx(2 / 3), 7, {0: 2, 1: 1})


def test_a_walk_is_over_when_all_is_visited_or_no_step_is_left_or_no_link_leads_on() -> None:
    everything = Walk(LINE, 9)
    everything.step(1)
    everything.step(2)
    late = Walk(LINE, 1)
    late.step(1)
    sink = Walk(Graph.build([[1, 2], [1], []], 0), 9)
    sink.step(1)
    assert (everything.over, late.over, sink.over) == (True, True, True)


def test_a_step_without_a_link_or_beyond_the_budget_is_refused() -> None:
    with pytest.raises(ValueError, match="no link leads from node 0 to node 2"):
        Walk(LINE, 9).step(2)
    with pytest.raises(ValueError, match="no steps are left"):
        Walk(LINE, 0).step(1)


@pytest.mark.parametrize(("links", "start"), [([[1]], 0), ([[0]], 1), ([[-1]], 0)])
def test_links_out_of_the_graph_are_refused(links: list[list[int]], start: int) -> None:
    with pytest.raises(ValueError, match=r"leads out|none of the"):
        Graph.build(links, start)


def screens(**actions: list[dict[str, object]]) -> dict[str, object]:
    return {
        "format": "untrod-screens",
        "version": 1,
        "start": "main",
        "screens": {name: {"actions": each} for name, each in actions.items()},
    }


def test_a_recorded_app_has_a_link_where_some_action_led_on() -> None:
    body = screens(
        main=[
            {"type": "click", "detail": "About", "to": "about"},
            {"type": "click", "detail": "Info", "to": "about"},
            {"type": "rotate", "to": "main"},
            {"type": "idle"},
            {"type": "swipe", "to": [{"screen": "game"}, {"screen": "main"}]},
        ],
        about=[],
        game=[{"type": "back", "to": "main"}],
        hidden=[{"type": "back", "to": "main"}],
    )
    graph = recorded_app(decode(body))
    assert graph.names == ("main", "about", "game", "hidden")
    assert graph.links == ((1, 2), (), (0,), (0,))
    assert graph.reachable == 3


def test_a_recording_without_links_is_refused_in_one_line() -> None:
    with pytest.raises(UntrodError, match="nothing to explore"):
        recorded_app(decode(screens(main=[{"type": "rotate", "to": "main"}])))


def test_a_file_that_is_no_screen_graph_is_named(tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "app.json").write_text("{")
    with pytest.raises(UntrodError, match=r"app\.json: line 1, column 2: not JSON"):
        load_app(tmp_path / "app.json")
