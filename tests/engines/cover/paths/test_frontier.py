from __future__ import annotations

from untrod.engines.cover.paths.frontier import Frontier, Walker
from untrod.symbolic.protocol import Branch, Location, State
from untrod.symbolic.ranges import below
from untrod.symbolic.searchers.catalogue import make_searcher


class Condition:
    key = 1

    def ranges(self):
        return "x0", below(3)

    def smt2(self) -> str:
        return ""


def siblings(unit: str, count: int, parent: int = 0) -> list[State]:
    trail = tuple(Branch(Location(unit, line, 0), Condition(), True, True) for line in range(count))
    return [State(number + 1, parent, trail, number + 1) for number in range(count)]


class Holes:
    def lvalue(self, variable: str) -> str:
        return "f.0"


FIRST, SECOND = Walker(Holes(), "first"), Walker(Holes(), "second")  # type: ignore[arg-type]


def test_states_of_several_executors_wait_together() -> None:
    frontier = Frontier(make_searcher("dfs", 0))
    frontier.add(siblings("f", 3), FIRST)
    frontier.add(siblings("g", 2), SECOND)
    assert len(frontier) == 5
    picked = [frontier.pick() for _ in range(5)]
    assert [(state.trail[0].location.unit, walked.executor) for state, walked in picked] == [
        ("g", "second"),
        ("g", "second"),
        ("f", "first"),
        ("f", "first"),
        ("f", "first"),
    ]
    assert len({state.id for state, _ in picked}) == 5
    assert len(frontier) == 0


def test_what_is_dropped_is_not_picked() -> None:
    frontier = Frontier(make_searcher("bfs", 0))
    frontier.add(siblings("f", 4), FIRST)
    ids = frontier.ids()
    dropped = frontier.drop(ids[:3])
    assert [state.depth for state, _ in dropped] == [1, 2, 3]
    assert frontier.pick()[0].depth == 4


def test_features_are_those_of_the_states() -> None:
    frontier = Frontier(make_searcher("bfs", 0))
    frontier.add(siblings("f", 2), FIRST)
    assert list(frontier.features().values()) == [
        ("f:0 f.0 >= 3",),
        ("f:0 f.0 <= 2", "f:1 f.0 >= 3"),
    ]


def test_there_are_never_more_than_the_bound() -> None:
    frontier = Frontier(make_searcher("random-path", 0), most=10)
    for _ in range(5):
        frontier.add(siblings("f", 8), FIRST)
        assert len(frontier) <= 10
    assert frontier.overflowed == 30
    for _ in range(10):
        frontier.pick()
