"""Every searcher keeps the contract; each has its own idea of what comes next."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from untrod.core.errors import UntrodError
from untrod.symbolic.lean.executor import LeanExecutor
from untrod.symbolic.protocol import Branch, Location, Searcher, State
from untrod.symbolic.searchers.catalogue import SEARCHERS, make_searcher
from untrod.symbolic.searchers.directed import Fittest, OpenFirst
from untrod.symbolic.searchers.klee import (
    PATIENCE,
    BreadthFirst,
    ByDepth,
    CoveringNew,
    InstructionCount,
    MinDistance,
    PathInstructions,
    QueryCost,
    RandomPath,
    RandomState,
    RoundRobin,
    Weights,
)
from untrod.symbolic.searchers.knowledge import RECENT, Distances, Knowledge
from untrod.symbolic.shapes import Arguments, Int, List
from untrod.testing import executors as conformance
from untrod.testing import subjects


def state(number: int, parent: int | None = None, depth: int = 1, **more: Any) -> State:
    return State(number, parent, at(number, 1).trail * depth, depth, **more)


def at(number: int, line: int, unit: str = "f", parent: int | None = None) -> State:
    """A state that stands at a line."""
    return State(number, parent, (Branch(Location(unit, line, 0), None, True, True),), 1)  # type: ignore[arg-type]


def shares(searcher: Searcher, draws: int = 4000) -> dict[int, float]:
    found = Counter(searcher.select().id for _ in range(draws))
    return {number: count / draws for number, count in found.items()}


@pytest.mark.parametrize("name", SEARCHERS.names)
def test_what_was_added_and_not_removed_is_selected(name: str) -> None:
    searcher = make_searcher(name, 1)
    dice = random.Random(5)
    live: dict[int, State] = {}
    for number in range(300):
        new = [state(3 * number + part, dice.choice([None, *live]), part + 1) for part in range(3)]
        searcher.add(new)
        live.update({one.id: one for one in new})
        assert len(searcher) == len(live)
        chosen = searcher.select()
        assert live[chosen.id] is chosen
        gone = {chosen.id, dice.choice(list(live))} if number % 2 else {chosen.id}
        searcher.remove(gone)
        searcher.remove([-7])  # never heard of
        for old in gone:
            del live[old]
    searcher.remove(list(live))
    assert len(searcher) == 0


@pytest.mark.parametrize("name", SEARCHERS.names)
def test_the_same_seed_gives_the_same_search(name: str) -> None:
    def story(seed: int) -> list[int]:
        searcher = make_searcher(name, seed)
        searcher.add(state(number, None, number + 1) for number in range(50))
        return [searcher.select().id for _ in range(30)]

    assert story(3) == story(3)


@pytest.mark.parametrize("name", SEARCHERS.names)
def test_every_path_is_found_in_the_end(name: str) -> None:
    executor = LeanExecutor(subjects.insertion_sort, Arguments((List(Int(), 4),)))
    knowledge = Knowledge(Distances([subjects.insertion_sort.__code__]))
    searcher = make_searcher(name, 2, knowledge)
    searcher.add([executor.initial()])
    ended = 0
    while len(searcher):
        chosen = searcher.select()
        searcher.remove([chosen.id])
        result = executor.advance(chosen, conformance.Always(True), max_branches=100)
        ended += result.status == "done"
        knowledge.tell(chosen, result.branches, {(b.location.unit, b.location.line) for b in result.branches})
        searcher.add(result.pending)
    assert ended == 24


def test_a_name_that_is_not_known() -> None:
    with pytest.raises(UntrodError, match="no searcher 'random-paht'"):
        make_searcher("random-paht", 1)


def test_depth_first_takes_the_newest_and_breadth_first_the_oldest() -> None:
    for name, order in (("dfs", [3, 2, 1]), ("bfs", [1, 2, 3])):
        searcher = make_searcher(name, 1)
        searcher.add(state(number) for number in (1, 2, 3))
        seen = []
        while len(searcher):
            seen.append(searcher.select().id)
            searcher.remove(seen)
        assert seen == order


def test_random_state_is_fair_to_states() -> None:
    searcher = RandomState(1)
    searcher.add(state(number) for number in range(4))
    assert shares(searcher) == pytest.approx(dict.fromkeys(range(4), 0.25), abs=0.03)


def test_random_path_is_fair_to_sides_of_branches() -> None:
    """Two siblings on a path, the second with a hundred states below it: still one half for the first."""
    searcher = RandomPath(1)
    searcher.add([state(0, None, 0)])
    searcher.remove([0])
    searcher.add([state(1, 0, 1), state(2, 0, 2)])
    searcher.remove([2])
    searcher.add([state(number, 2, number) for number in range(3, 103)])
    found = shares(searcher)
    assert found[1] == pytest.approx(0.5, abs=0.03)
    assert found[3] == pytest.approx(0.25, abs=0.03)
    assert found[4] == pytest.approx(0.125, abs=0.03)
    searcher.remove([1])
    assert shares(searcher)[3] == pytest.approx(0.5, abs=0.03)


def test_random_path_keeps_no_node_for_ever() -> None:
    searcher = RandomPath(1)
    for number in range(3 * PATIENCE):
        searcher.add([state(number)])
        searcher.remove([number])
    assert len(searcher._nodes) <= PATIENCE + 1


@pytest.mark.parametrize(
    ("make", "likely", "seldom", "ratio"),
    [
        (ByDepth, state(1, depth=30), state(2, depth=10), 3),
        (PathInstructions, state(1, instructions=10), state(2, instructions=30), 3),
        (QueryCost, state(1, query_cost=100), state(2, query_cost=300), 3),
        (InstructionCount, at(1, 7), at(2, 8), 9),
        (MinDistance, at(1, 2, "near"), at(2, 2, "elsewhere"), 1e8),
        (CoveringNew, at(1, 2, "x", parent=10), at(2, 2, "x", parent=11), 4),
    ],
)
def test_weights(make: Callable[[int, Knowledge], Any], likely: State, seldom: State, ratio: float) -> None:
    code = compile("def near():\n a\n b\n c", "f", "exec")
    knowledge = Knowledge(Distances([code]))
    branches = [at(0, line).trail[0] for line in (8, 8, 8, 7)]
    knowledge.tell(state(10), branches, {("near", 2)})
    knowledge.tell(state(11), [], set())
    searcher = make(1, knowledge)
    assert searcher.weight(likely) / searcher.weight(seldom) == pytest.approx(ratio, rel=0.01)
    searcher.add([likely, seldom])
    assert shares(searcher)[likely.id] == pytest.approx(ratio / (1 + ratio), abs=0.03)


def test_waiting_states_are_weighed_again_when_more_is_covered() -> None:
    source = "def f(x):\n if x:\n  a\n  b\n else:\n  c\n  d\ndef g(x):\n if x:\n  a\n"
    knowledge = Knowledge(Distances([compile(source, "f", "exec")]))
    searcher = MinDistance(1, knowledge)
    searcher.add([at(1, 2, "f"), at(2, 9, "g")])
    assert 0.4 < shares(searcher)[1] < 0.6
    knowledge.tell(state(5), [], {("f", line) for line in range(1, 8)})
    assert shares(searcher).get(1, 0.0) < 0.01


def test_distances_are_counted_in_lines_and_follow_jumps() -> None:
    source = "def f(x):\n while x:\n  a\n  if x:\n   b\n  c\n return d\n"
    distances = Distances([compile(source, "f", "exec")])
    unit = {line for name, line in distances.lines() if name == "f"}
    assert unit >= {2, 3, 4, 5, 6, 7}
    covered = {("f", line) for line in unit - {5}}
    found = [distances.to_uncovered(Location("f", line, 0), covered, 1) for line in (5, 4, 3, 2, 7)]
    assert found == [0, 1, 2, 3, None]
    assert distances.to_uncovered(Location("elsewhere", 2, 0), covered, 1) is None


def test_round_robin_asks_in_turn() -> None:
    searcher = RoundRobin([make_searcher("dfs", 1), make_searcher("bfs", 1)])
    searcher.add([state(1), state(2), state(3)])
    assert [searcher.select().id for _ in range(4)] == [3, 1, 3, 1]


def test_weights_are_drawn_in_proportion_through_many_changes() -> None:
    weights, dice = Weights(), random.Random(2)
    for number in range(200):
        weights.put(state(number), 1.0)
    for number in range(197):
        weights.remove(number)
    weights.put(state(300), 4.0)
    weights.put(state(197), 3.0)
    found = Counter(weights.draw(dice).id for _ in range(5000))
    assert {number: count / 5000 for number, count in found.items()} == pytest.approx(
        {197: 3 / 9, 198: 1 / 9, 199: 1 / 9, 300: 4 / 9}, abs=0.03
    )


def test_open_first_flips_branches_beside_what_is_missing() -> None:
    knowledge = Knowledge()
    searcher = OpenFirst(BreadthFirst(), knowledge)
    searcher.add([at(1, 10), at(2, 20), at(3, 30), at(4, 20)])
    assert searcher.select().id == 1  # nothing is open: whoever is behind it decides
    knowledge.open = {("f", 20), ("f", 30), ("f", 99)}
    chosen = []
    while len(searcher) > 1:
        chosen.append(searcher.select().id)
        searcher.remove(chosen[-1:])
    assert chosen == [4, 3, 2]  # lines in turn, the newest state of each
    assert searcher.select().id == 1


def test_open_first_leaves_a_line_that_was_tried_too_often_until_something_is_covered() -> None:
    knowledge = Knowledge()
    searcher = OpenFirst(BreadthFirst(), knowledge)
    searcher.add([at(1, 10), at(2, 20)])
    knowledge.open = {("f", 20)}
    assert [searcher.select().id for _ in range(OpenFirst.patience + 1)] == [2] * OpenFirst.patience + [1]
    knowledge.tell(at(2, 20), (), [("f", 21)])
    assert searcher.select().id == 2


def test_fittest_goes_on_from_the_paths_that_came_nearest() -> None:
    knowledge = Knowledge()
    searcher = Fittest(BreadthFirst(), knowledge)
    knowledge.open = {("f", 50)}
    for path, off in ((1, 306), (2, 3), (3, 40)):
        knowledge.tell_shortfalls(at(path, 1), {("f", 50): off})
    searcher.add([at(10 * path + part, 7, parent=path) for path in (1, 2, 3) for part in (0, 1)])
    chosen = []
    while len(searcher):
        chosen.append(searcher.select().id)
        searcher.remove(chosen[-1:])
    # Every other one is the choice of who is behind it: here the oldest.
    assert chosen[::2] == [20, 21, 30]
    assert chosen[1::2] == [10, 11, 31]


def test_fittest_lets_open_lines_take_turns_and_forgets_those_that_are_done() -> None:
    knowledge = Knowledge()
    searcher = Fittest(BreadthFirst(), knowledge)
    knowledge.tell_shortfalls(at(1, 1), {("f", 50): 9, ("f", 60): 500})
    knowledge.tell_shortfalls(at(2, 1), {("f", 60): 4})
    searcher.add([at(0, 7), at(10, 7, parent=1), at(20, 7, parent=2)])
    knowledge.open = {("f", 50), ("f", 60)}
    assert [searcher.select().id for _ in range(4)] == [10, 0, 20, 0]
    knowledge.open = {("f", 60)}
    assert [searcher.select().id for _ in range(4)] == [20, 0, 20, 0]
    knowledge.open = set()
    assert searcher.select().id == 0


def test_a_state_is_as_near_as_the_nearest_path_that_it_shares_decisions_with() -> None:
    def left(number: int, depth: int, parent: int) -> State:
        return State(number, parent, at(number, 1).trail * depth, depth)

    knowledge = Knowledge()
    searcher = Fittest(BreadthFirst(), knowledge)
    knowledge.open = {("f", 50)}
    knowledge.tell_shortfalls(at(1, 1), {("f", 50): 40})
    searcher.add([left(10, 1, 1), left(11, 2, 1), left(12, 3, 1)])
    knowledge.tell_shortfalls(at(2, 1), {("f", 50): 30})
    searcher.add([left(20, 1, 2)])
    searcher.remove([11])
    knowledge.tell_shortfalls(left(11, 2, 1), {("f", 50): 7})  # 10 parts before 11 does, 12 after it
    assert searcher.select().id == 10
    searcher.remove([10])
    searcher.select()
    assert searcher.select().id == 20


def test_what_is_remembered_of_paths_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("untrod.symbolic.searchers.knowledge.MOST_PATHS", 3)
    knowledge = Knowledge()
    for path in range(10):
        knowledge.tell(at(path, 1), (), [])
    assert [knowledge.age(at(99, 1, parent=path)) for path in (6, 7)] == [0, 1]


def test_what_was_told_of_paths_can_be_asked_for_later() -> None:
    knowledge = Knowledge()
    knowledge.tell_shortfalls(at(1, 1), {("f", 50): 9})
    heard = knowledge.told
    assert knowledge.since(heard) == []
    for path in range(2, RECENT + 5):
        knowledge.tell_shortfalls(at(path, 1), {("f", 50): path})
    assert [path for path, _ in knowledge.since(knowledge.told - 2)] == [RECENT + 3, RECENT + 4]
    assert len(knowledge.since(heard)) == RECENT
