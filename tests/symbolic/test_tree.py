from __future__ import annotations

import json
from collections.abc import Iterable
from random import Random

import pytest

from untrod.symbolic.protocol import Branch, Feasibility, Location
from untrod.symbolic.sites import Sites
from untrod.symbolic.tree import CUT, INFEASIBLE, UNKNOWN, UNSEEN, Diverged, PathTree


class Asked:
    key = 7

    def ranges(self) -> None:
        return None

    def smt2(self) -> str:
        return "true"


def branch(taken: bool, other: Feasibility = "unchecked") -> Branch:
    return Branch(Location("f", 1, 2), Asked(), taken, taken, other)


def add(tree: PathTree, path: str, cost: int = 1, others: dict[int, Feasibility] | None = None) -> int:
    """`TTF` at sites 0, 1, 2; `others` says what is known of the sides not taken."""
    known = others or {}
    branches = [branch(side == "T", known.get(depth, "unchecked")) for depth, side in enumerate(path)]
    return tree.insert(range(len(path)), branches, cost)


def spelled(path: Iterable[bool] | None) -> str | None:
    return None if path is None else "".join("T" if taken else "F" for taken in path)


def test_inserting_says_where_a_path_left_the_tree() -> None:
    tree = PathTree()
    assert add(tree, "TTT") == 0
    assert add(tree, "TFT") == 1
    assert add(tree, "TFT") == 3, "nothing was new"
    assert tree.paths == 3


def test_a_virtual_run_leaves_the_tree_where_nobody_went() -> None:
    tree = PathTree()
    add(tree, "TTT")
    assert spelled(tree.virtual_run(lambda node, site: True)) == "TTF"
    assert spelled(tree.virtual_run(lambda node, site: site == 0)) == "TF"


def test_each_virtual_run_finds_another_path_until_all_are_found() -> None:
    tree, rng, found = PathTree(), Random(1), set[str]()
    while (prefix := tree.virtual_run(lambda node, site: rng.random() < 0.5)) is not None:
        path = [*prefix, *[True] * (4 - len(prefix))]
        tree.insert(range(4), [branch(taken) for taken in path], 1)
        assert spelled(path) not in found
        found.add(str(spelled(path)))
    assert len(found) == 16
    assert tree.exhausted
    assert not tree.unknown


def test_an_infeasible_side_is_not_looked_for() -> None:
    tree = PathTree()
    add(tree, "TT", others={0: "unsat", 1: "unsat"})
    assert tree.exhausted
    assert tree.side(0, False) == INFEASIBLE


def test_what_the_solver_did_not_know_is_neither_tried_again_nor_called_explored() -> None:
    tree = PathTree()
    add(tree, "TT", others={0: "unknown", 1: "unsat"})
    assert tree.exhausted
    assert tree.unknown == 1
    add(tree, "FT", others={1: "unsat"})
    assert tree.unknown == 0, "somebody got there after all"


def test_a_path_that_was_broken_off_leaves_something_unknown() -> None:
    tree = PathTree()
    tree.insert([0], [branch(True, "unsat")], 1, whole=False)
    assert tree.exhausted
    assert tree.unknown == 1


def test_a_prefix_that_leads_nowhere_is_closed() -> None:
    tree = PathTree()
    add(tree, "TT")
    tree.close_at([True, False], INFEASIBLE)
    assert spelled(tree.virtual_run(lambda node, site: True)) == "F"
    tree.close_at([False], UNKNOWN)
    assert tree.exhausted
    assert tree.unknown == 1


def test_a_side_that_was_seen_is_not_closed() -> None:
    tree = PathTree()
    add(tree, "TT")
    tree.close(0, True, CUT)
    assert tree.side(0, True) > 0


def test_the_value_of_a_side_is_the_best_path_through_it() -> None:
    tree = PathTree()
    add(tree, "TT", 5)
    add(tree, "TF", 9)
    add(tree, "FF", 7)
    assert tree.best(0, True) == 9
    assert tree.best(0, False) == 7
    below_false = tree.side(0, False)
    assert tree.best(below_false, True) is None


def test_another_branch_after_the_same_decisions_is_noticed() -> None:
    tree = PathTree()
    add(tree, "TT")
    with pytest.raises(Diverged):
        tree.insert([0, 5], [branch(True), branch(True)], 1)


def test_paths_may_be_deep() -> None:
    tree = PathTree()
    add(tree, "T" * 20_000, 20_000)
    assert len(tree.virtual_run(lambda node, site: True) or ()) == 20_000
    assert spelled(tree.path_to(3)) == "TTT"


def test_a_state_goes_on_from_where_a_path_was_left() -> None:
    tree, sites = PathTree(), Sites()
    for offset in range(3):
        sites.number(Location("f", 1, offset))
    add(tree, "TTT", others={1: "unsat"})
    state = tree.start([True, True, False], sites)
    assert state is not None
    assert state.path() == (True, True, False)
    assert [step.location.offset for step in state.trail] == [0, 1, 2]
    assert [step.other for step in state.trail] == ["unchecked", "unsat", "unchecked"]


def test_after_loading_the_conditions_are_gone_and_everything_else_is_there() -> None:
    tree, twin, sites = PathTree(), PathTree(), Sites()
    add(tree, "TTF", 4, {2: "unknown"})
    add(tree, "TFF", 6)
    twin.load(json.loads(json.dumps(tree.state())))
    assert twin.state() == tree.state()
    assert twin.virtual_run(lambda node, site: False) == tree.virtual_run(lambda node, site: False)
    assert twin.start([False], sites) is None


@pytest.mark.parametrize("column", ["falses", "parents", "done"])
def test_a_damaged_tree_is_refused(column: str) -> None:
    tree, other = PathTree(), PathTree()
    add(tree, "TT")
    add(other, "TTFF")
    state = tree.state() | {column: other.state()[column]}
    with pytest.raises(ValueError, match="a tree"):
        PathTree().load(state)


def test_memory_is_bounded_and_finished_parts_go_first() -> None:
    tree = PathTree(max_nodes=64)
    count = 0
    while (prefix := tree.virtual_run(lambda node, site: True)) is not None:
        path = [*prefix, *[True] * (8 - len(prefix))]
        tree.insert(range(8), [branch(taken) for taken in path], 1)
        count += 1
        assert len(tree) <= 64
    assert count == 256, "nothing finished was tried again"


def test_when_memory_is_short_the_costliest_paths_are_kept() -> None:
    tree, rng = PathTree(max_nodes=200), Random(2)
    add(tree, "TFTFTFTFTF", 1000)
    for _ in range(100):
        tree.insert(range(10), [branch(rng.random() < 0.5) for _ in range(10)], rng.randrange(100))
    nodes = list(tree.follow([side == "T" for side in "TFTFTFTFTF"]))
    assert len(nodes) == 11
    assert len(tree) <= 200


def test_nobody_has_been_in_a_new_tree() -> None:
    tree = PathTree()
    assert tree.virtual_run(lambda node, site: True) == []
    assert tree.side(0, True) == UNSEEN
    assert not tree.exhausted
