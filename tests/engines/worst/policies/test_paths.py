from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from untrod.engines.worst.policies.paths import KEPT, Exhaustive, Guide, Paths
from untrod.engines.worst.policies.pyse import PySE, Settings
from untrod.symbolic.lean.executor import LeanExecutor
from untrod.symbolic.shapes import Arguments, Int, List


def always(side: bool, paths: Paths) -> Guide:
    return Guide(paths.sites, lambda site: side, lambda site, taken: None)


def test_a_walk_begins_with_the_given_decisions(sorting: Any) -> None:
    paths, env = Paths(), sorting(4)
    first = paths.walk(env, always(True, paths), [], "me")
    second = paths.walk(env, always(True, paths), [True, False], "me")
    assert [branch.taken for branch in first.branches] == [True] * 6
    assert [branch.taken for branch in second.branches][:2] == [True, False]
    assert second.by == "me"


def test_a_beginning_that_no_input_has_is_closed(sorting: Any) -> None:
    paths, env = Paths(), sorting(3)
    paths.walk(env, always(False, paths), [], "me")
    paths.tree.conditions[0] = None
    before = len(paths.tree)
    paths.add(replace(env.run(([0, 1, 2],)), status="infeasible"), [True])
    assert len(paths.tree) == before
    assert not paths.tree.is_live(0, True)


def test_a_rule_is_told_of_every_branch_before_it_is_asked(sorting: Any) -> None:
    paths, env, told = Paths(), sorting(4), list[tuple[int, bool]]()
    paths.walk(env, always(True, paths), [], "me")
    guide = Guide(paths.sites, lambda site: len(told) > 3, lambda site, taken: told.append((site, taken)))
    attempt = paths.walk(env, guide, [True, False], "me")
    assert [taken for _, taken in told] == [branch.taken for branch in attempt.branches][:-1]


def test_the_tree_of_a_size_is_there_when_the_search_comes_back(sorting: Any) -> None:
    policy = Exhaustive(1)
    policy.grow(3)
    while policy.step(sorting(3)) is not None:
        pass
    policy.grow(4)
    policy.step(sorting(4))
    policy.grow(3)
    assert policy.complete


def test_only_so_many_trees_are_kept() -> None:
    paths = Paths()
    for size in range(3 * KEPT):
        paths.grow(size)
    assert len(paths.state()["trees"]) == KEPT + 1


def test_after_a_restart_the_conditions_are_found_again(sorting: Any) -> None:
    """A state is made of conditions, and these do not survive: the tree runs along its own decisions once."""
    policy, twin, env = Exhaustive(1), Exhaustive(1), sorting(4)
    for _ in range(5):
        policy.step(env)
    twin.load(json.loads(json.dumps(policy.state())))
    walks = env.walks
    one, two = policy.step(env), twin.step(env)
    assert one is not None
    assert two is not None
    assert one.inputs == two.inputs
    assert env.walks == walks + 2, "finding them again is not an attempt"


def test_when_another_engine_takes_over_the_tree_begins_anew(sorting: Any) -> None:
    paths, env = Paths(), sorting(4)
    paths.walk(env, always(True, paths), [], "me")

    def walk(policy: Any, start: Any = None, most: int = 0) -> Any:
        env.executor.name = "other"
        return type(env).walk(env, policy)

    env.walk = walk
    paths.walk(env, always(False, paths), [True, False], "me")
    assert paths.tree.paths == 1


def test_the_best_input_of_others_is_followed_branch_by_branch(sorting: Any) -> None:
    """What a climber found becomes a path of the tree, and is learned from."""
    env = sorting(7)
    env.executor = LeanExecutor(env.function, Arguments((List(Int(), 7),)))
    env.best = replace(env.run(([6, 5, 4, 3, 2, 0, 1],)), by="climb")
    policy = PySE(1, Settings("table"))
    attempt = policy.step(env)
    assert attempt is not None
    assert attempt.inputs == ([6, 5, 4, 3, 2, 0, 1],)
    assert attempt.cost == env.best.cost
    assert attempt.solver_calls <= 1
    follow_up = policy.step(env)
    assert follow_up is not None
    assert follow_up.inputs != attempt.inputs, "once is enough"


def test_a_path_that_was_broken_off_is_no_whole_one(sorting: Any) -> None:
    paths, env = Paths(), sorting(4)
    paths.add(env.walk(always(True, paths), None, 3))
    assert paths.tree.unknown == 1
