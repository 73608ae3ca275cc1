"""What the paper on PySE says, shown on this implementation.

Koo, Saumya, Kulkarni, Bagchi, "PySE: Automatic Worst-Case Test Generation by Reinforcement Learning", 2019.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from untrod.engines.worst.policies.pyse import PySE, Settings
from untrod.engines.worst.policies.rules import Wise
from untrod.engines.worst.protocol import Attempt, SearchPolicy
from untrod.learn.pyse.branch_q import OWN, BranchQ, Cursor
from untrod.learn.pyse.branch_q import Settings as LearnerSettings
from untrod.learn.pyse.q_values import QValues
from untrod.symbolic.lean.executor import LeanExecutor
from untrod.symbolic.protocol import BranchPolicy, State
from untrod.symbolic.shapes import Arguments, Int, List, Text


class PathEnvironment:
    """One function at one size; the cost is the length of the path, as in the paper."""

    best = None
    shape: Any = None

    def __init__(self, function: Any, arguments: Arguments, size: int) -> None:
        self.size, self.executor = size, LeanExecutor(function, arguments)

    def walk(self, policy: BranchPolicy, start: State | None = None) -> Attempt:
        result = self.executor.advance(start or self.executor.initial(), policy, max_branches=10_000)
        return Attempt(
            result.inputs, len(result.branches), result.status, result.branches, stats=result.stats
        )

    def run(self, inputs: tuple[Any, ...]) -> Attempt:
        raise NotImplementedError

    def random(self, rng: Random) -> tuple[Any, ...]:
        raise NotImplementedError


def insertion_sort(xs: list[int]) -> None:
    """Written so that the costly side is False: a policy that has learned nothing says True."""
    for i in range(1, len(xs)):
        for j in range(i, 0, -1):
            if xs[j - 1] <= xs[j]:
                break
            xs[j - 1], xs[j] = xs[j], xs[j - 1]


def smith_waterman(a: str, b: str) -> int:
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            score = 2 if a[i - 1] == b[j - 1] else -1
            table[i][j] = max(0, table[i - 1][j - 1] + score, table[i - 1][j] - 1, table[i][j - 1] - 1)
    return max(map(max, table))


def boyer_moore(text: str, pattern: str) -> int:
    """Horspool's variant, without a table: the shift is looked up in the pattern."""
    n, m, at = len(text), len(pattern), 0
    while at <= n - m:
        j = m - 1
        while j >= 0 and text[at + j] == pattern[j]:
            j -= 1
        if j < 0:
            return at
        shift = m
        for k in range(m - 2, -1, -1):
            if pattern[k] == text[at + m - 1]:
                shift = m - 1 - k
                break
        at += shift
    return -1


def threshold(xs: list[int]) -> None:
    """Class 2: what begins only when more than eight in a row are positive dwarfs everything before."""
    row = 0
    for x in xs:
        if x > 0:
            row += 1
            if row > 8:
                for y in xs:
                    if y == 7:
                        break
        else:
            row = 0
            if x == 0:
                pass


def sorting(size: int) -> PathEnvironment:
    return PathEnvironment(insertion_sort, Arguments((List(Int(), size),)), size)


def aligning(size: int) -> PathEnvironment:
    return PathEnvironment(smith_waterman, Arguments((Text(size), Text(3))), size)


def searching(size: int) -> PathEnvironment:
    return PathEnvironment(boyer_moore, Arguments((Text(size), Text(3))), size)


def crossing(size: int) -> PathEnvironment:
    return PathEnvironment(threshold, Arguments((List(Int(), size),)), size)


def pretrained(policy: SearchPolicy, env: Any, size: int) -> SearchPolicy:
    for lesson in policy.lessons(size):
        policy.grow(lesson.size, lesson=True)
        ground = env(lesson.size)
        for _ in range(lesson.steps):
            if policy.step(ground) is None:
                break
    policy.grow(size)
    return policy


def paths_to(policy: SearchPolicy, env: PathEnvironment, cost: int, limit: int) -> int:
    """How many paths until one is this long; the limit plus one when none of them is."""
    paths = 0
    while paths < limit:
        attempt = policy.step(env)
        if attempt is None:
            break
        paths += attempt.counts
        if attempt.cost >= cost:
            return paths
    return limit + 1


def test_a_state_is_the_branch_and_the_last_l_branches_with_their_actions() -> None:
    """Page "State representation": s_t = (s_t0, ..., s_tL), lines 150, 140, 89 and L = 2."""
    cursor = Cursor(history=2)
    cursor.push(89, True)
    cursor.push(140, False)
    key = cursor.key(150)
    assert (key[0], *key[OWN:]) == (150, 2 * 140 + 0, 2 * 89 + 1)


def test_the_values_of_the_paper_are_the_defaults() -> None:
    """P = -20. The slides do not say L, epsilon, N_e or the learning rate: those are ours."""
    assert LearnerSettings().penalty == Settings().penalty == -20.0


def feasible_sums(tree: Any) -> dict[tuple[bool, ...], tuple[float, float]]:
    """Q*(s, False) and Q*(s, True) of every state of a finite tree, by the paper's recursion:

    Q*(s, a) = r + max_a' Q*(s', a'), with r = 1 for a feasible side, r = P = -20 and the end for another.
    Here a state is the whole path to it. A tree is a pair of trees, by action, None for an infeasible side.
    """
    found: dict[tuple[bool, ...], tuple[float, float]] = {}

    def best(node: Any, path: tuple[bool, ...]) -> float:
        if node == ():
            return 0.0  # the program has ended
        sides = [
            -20.0 if side is None else 1.0 + best(side, (*path, bool(action)))
            for action, side in enumerate(node)
        ]
        found[path] = (sides[0], sides[1])
        return max(sides)

    best(tree, ())
    return found


def longest(node: Any) -> int:
    return 0 if node == () else 1 + max(longest(side) for side in node if side is not None)


TALL = 8


def random_tree(rng: Random, depth: int = TALL) -> Any:
    if depth == 0 or (depth < TALL and rng.random() < 0.1):
        return ()
    sides = [None if rng.random() < 0.2 else random_tree(rng, depth - 1) for _ in range(2)]
    return tuple(sides) if any(side is not None for side in sides) else ()


@pytest.mark.parametrize("seed", range(20))
def test_the_target_decides_as_the_optimal_values_of_the_paper_do(seed: int) -> None:
    """Ours is a regret taken from the tree, not r + max Q(s'). Where the tree is known, and a state is a
    whole path, the better side is the same everywhere, and so is a tie."""
    tree, q = random_tree(Random(seed)), BranchQ(1, QValues())
    for path, (false, true) in feasible_sums(tree).items():
        node = tree
        for action in path:
            node = node[action]
        ours = q.targets(
            [None if side is None else len(path) + 1 + longest(side) for side in node],
            [side is None for side in node],
        )
        assert ours[0] is not None
        assert ours[1] is not None
        assert (ours[0] > ours[1], ours[0] < ours[1]) == (false > true, false < true)
        assert [worth == -20.0 for worth in ours] == [side is None for side in node]
        assert max(ours) == 0.0  # nothing is regretted on the better side


def test_the_trees_of_that_test_have_something_to_decide() -> None:
    assert sum(len(feasible_sums(random_tree(Random(seed)))) for seed in range(20)) > 500


def test_algorithm_1_lines_9_to_11_new_experiences_enter_and_the_oldest_leave() -> None:
    q = BranchQ(1, QValues(), LearnerSettings(memory=3))
    for number in (1, 2, 3, 3, 3):
        q.remember((number, 0, 0, 0), True, -1.0)
    entries = [key[0] for key, *_ in q.state()["memory"]]
    assert entries == [1, 2, 3]  # 3 was not new the second time
    q.remember((4, 0, 0, 0), True, -1.0)
    assert [key[0] for key, *_ in q.state()["memory"]] == [2, 3, 4]  # |E| <= N_e


def test_an_infeasible_side_is_worth_minus_twenty_and_the_better_of_two_most() -> None:
    q = BranchQ(1, QValues())
    assert q.targets((7, None), (False, True)) == [0.0, -20.0]
    false, true = q.targets((7, 9), (False, False))
    assert true is not None
    assert false is not None
    assert -20.0 < false < true


def test_true_is_taken_where_its_value_is_at_least_that_of_false() -> None:
    assert BranchQ(1, QValues()).greedy((1, 0, 0, 0)) is True


@pytest.mark.parametrize("approximator", ["table", "network"])
def test_the_unique_path_finder_brings_a_new_experience_with_each_run(approximator: str) -> None:
    policy, env, seen = PySE(1, Settings(approximator)), sorting(5), set[tuple[bool, ...]]()
    for _ in range(30):
        prefix = policy.plan()
        assert prefix is not None
        known = {path[: len(prefix)] for path in seen}
        assert tuple(prefix) not in known or not prefix
        attempt = policy.step(env)
        assert attempt is not None
        path = tuple(branch.taken for branch in attempt.branches)
        assert path not in seen
        seen.add(path)


@pytest.mark.parametrize(("approximator", "size"), [("table", 30), ("network", 12)])
def test_insertion_sort_at_the_first_path_after_pretraining(approximator: str, size: int) -> None:
    policy = pretrained(PySE(1, Settings(approximator)), sorting, size)
    assert paths_to(policy, sorting(size), size * (size - 1) // 2, 1) == 1


def test_smith_waterman_of_a_hundred_in_two_paths() -> None:
    """The paper's table: (100, 300), PySE 2 paths. Here both strings are symbolic."""
    policy = pretrained(PySE(1, Settings("table")), aligning, 100)
    assert paths_to(policy, aligning(100), 300, 2) <= 2


def test_boyer_moore_of_thirty_in_three_paths_and_of_a_hundred_in_eighty_two() -> None:
    """The paper's table: N = 30 in 3 paths, N = 100 in 82. Both strings are symbolic here.

    The worst: every shift is by one, and costs four branches: the match fails at the last of three characters
    compared, and the first place looked at for the shift is the one.
    """
    policy = pretrained(PySE(1, Settings("table")), searching, 30)
    assert paths_to(policy, searching(30), 4 * 28, 3) <= 3
    policy.grow(100)
    assert paths_to(policy, searching(100), 4 * 98, 82) <= 82


def test_class_two_in_a_tenth_of_the_paths_of_wise() -> None:
    """WISE learned from sizes at which nothing happens, and never gets there; PySE goes on learning."""
    size, far = 24, 300
    pyse = paths_to(pretrained(PySE(1, Settings("table")), crossing, size), crossing(size), far, 40)
    wise = paths_to(pretrained(Wise(1), crossing, size), crossing(size), far, 400)
    assert pyse <= 40
    assert wise > 10 * pyse
