from __future__ import annotations

import json
from typing import Any

import pytest

from untrod.engines.worst.policies import one_sided
from untrod.engines.worst.policies.one_sided import OneSidedPaths
from untrod.engines.worst.protocol import Attempt


@pytest.fixture
def scout(monkeypatch: pytest.MonkeyPatch) -> OneSidedPaths:
    """Its first piece has two branches."""
    monkeypatch.setattr(
        one_sided.OneSidedPath.__init__,
        "__defaults__",
        (2, *one_sided.OneSidedPath.__init__.__defaults__[1:]),
    )
    made = OneSidedPaths()
    made.grow(5)
    return made


def walked(scout: OneSidedPaths, env: Any) -> list[Attempt]:
    found: list[Attempt] = []
    while (attempt := scout.step(env)) is not None:
        found.append(attempt)
        if env.best is None or attempt.cost > env.best.cost:
            env.best = attempt
    return found


@pytest.mark.parametrize(("kind", "side"), [("sorting", True), ("contrary", False)])
def test_it_walks_both_ways_to_the_end_in_pieces(
    scout: OneSidedPaths, kind: str, side: bool, request: pytest.FixtureRequest
) -> None:
    env = request.getfixturevalue(kind)(5)
    found = walked(scout, env)
    assert max(attempt.cost for attempt in found) == env.worst()
    long = [attempt for attempt in found if all(branch.taken is side for branch in attempt.branches)]
    assert [len(attempt.branches) for attempt in long] == [2, 4, 8, 10]
    assert [attempt.cut for attempt in long] == [True, True, True, False]


def test_no_path_is_longer_than_any_may_be(
    scout: OneSidedPaths, sorting: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(one_sided, "MAX_BRANCHES", 5)
    assert max(len(attempt.branches) for attempt in walked(scout, sorting(5))) == 5


def test_a_piece_goes_on_where_the_last_one_ended(scout: OneSidedPaths, sorting: Any) -> None:
    """What lies before is walked again, but nobody has to decide there."""
    asked: list[int] = []

    class Noting(one_sided.Always):
        def decide(self, location: Any, condition: Any, history: Any) -> bool:
            asked.append(len(history))
            return super().decide(location, condition, history)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(one_sided, "Always", Noting)
        found = walked(scout, sorting(5))
    assert len(asked) == sum({attempt.branches[0].taken: len(attempt.branches) for attempt in found}.values())


def test_a_path_that_does_not_grow_has_what_is_hardly_missed(scout: OneSidedPaths, alternating: Any) -> None:
    env = alternating(5)
    env.best = Attempt(([0] * 5,), 1_000, "done", by="climb")
    assert scout.due(0.0), "the first pieces are granted"
    for line in scout._open():
        line.price = one_sided._GRANT
    assert not scout.due(1_000_000.0)
    assert scout.due(5_000_000.0)


def test_a_path_that_grows_has_half_of_all_effort(scout: OneSidedPaths, sorting: Any) -> None:
    env = sorting(5)
    scout.step(env)
    for line in scout._open():
        line.price = one_sided._GRANT
    assert scout.due(1_000_000.0), "the first beats everybody: nobody has found anything"


def test_without_an_executor_there_is_nothing_to_walk(scout: OneSidedPaths, sorting: Any) -> None:
    env = sorting(5)
    env.executor = None
    assert scout.step(env) is None
    assert not scout.due(1e12)


def test_a_size_is_not_begun_twice(scout: OneSidedPaths, sorting: Any) -> None:
    walked(scout, sorting(5))
    scout.grow(4)
    assert walked(scout, sorting(4))
    scout.grow(5)
    assert walked(scout, sorting(5)) == []


def test_after_a_restart_it_goes_on_with_the_next_piece(scout: OneSidedPaths, sorting: Any) -> None:
    env, twin = sorting(5), OneSidedPaths()
    for _ in range(3):
        scout.step(env)
    twin.load(json.loads(json.dumps(scout.state())))
    one, two = scout.step(env), twin.step(env)
    assert one is not None
    assert two is not None
    assert (one.inputs, len(one.branches)) == (two.inputs, len(two.branches))
    assert twin.state()[1] == scout.state()[1]
