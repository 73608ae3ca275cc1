"""The tree study at a small scale."""

from __future__ import annotations

import pytest
from bench.inputs import native

from untrod.engines.inputs.target import Guide, Replay


@pytest.fixture(scope="module")
def loops() -> native.Loops:
    return native.run_seed(1, native.SHORT)


def test_every_contender_runs_as_many_trees(loops: native.Loops) -> None:
    assert set(loops) == set(native.CONTENDERS)
    for loop in loops.values():
        assert len(loop.costs) == native.SHORT // native.CHUNK
        mark = loop.marks[native.SHORT]
        assert 0 < mark.large <= mark.unique <= mark.valid < native.SHORT


def test_learners_find_more_different_trees_than_random(loops: native.Loops) -> None:
    def unique(name: str) -> int:
        return loops[name].marks[native.SHORT].unique

    for learner in ("sequence", "tree", "tree-lr", "tree-lr, automatic"):
        assert unique(learner) > 1.5 * unique("random")
    assert unique("tree") < unique("tree-lr")  # the paper's order


def test_the_same_seed_gives_the_same_counts(loops: native.Loops) -> None:
    again = native.run_seed(1, native.SHORT)

    assert {name: loop.marks for name, loop in again.items()} == {
        name: loop.marks for name, loop in loops.items()
    }


def test_both_generators_build_the_same_tree_from_the_same_answers() -> None:
    answers = [5, 0, 2, 1, 1, 0, 8, 1, 1]

    assert (
        native.automatic(Guide(Replay(answers)).choose)
        == native.explicit(Guide(Replay(answers)).choose, "L", "R")
        == (5, (2, None, None), (8, None, None))
    )


@pytest.mark.parametrize(
    ("tree", "valid"),
    [
        ((5, None, None), True),
        ((5, (2, None, None), (8, None, None)), True),
        ((5, (5, None, None), None), False),
        ((5, (2, None, (7, None, None)), None), False),
    ],
)
def test_a_search_tree_orders_all_its_descendants(tree: native.Tree, valid: bool) -> None:
    assert native.is_search_tree(tree) is valid


def test_rows_cover_the_trees_that_were_run(loops: native.Loops) -> None:
    rows = native.rows([loops])

    assert {row.subject for row in rows} == {"native-bst 10,000"}
    assert {row.metric for row in rows} == {
        "valid",
        "unique valid",
        "unique of 5+ nodes",
        "CPU us per tree",
    }
