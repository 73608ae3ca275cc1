from __future__ import annotations

from typing import Any

from untrod.engines.worst.policies.paths import RandomPaths


def paths(seed: int, env: Any, steps: int) -> list[tuple[bool, ...]]:
    policy = RandomPaths(seed)
    found = []
    for _ in range(steps):
        attempt = policy.step(env)
        if attempt is None:
            break
        if attempt.counts:
            found.append(tuple(branch.taken for branch in attempt.branches))
    return found


def test_no_path_comes_twice_and_all_come_in_the_end(sorting: Any) -> None:
    found = paths(1, sorting(4), 100)
    assert len(found) == len(set(found)) == 24


def test_the_seed_decides_the_order(sorting: Any) -> None:
    assert paths(1, sorting(4), 10) == paths(1, sorting(4), 10)
    assert paths(1, sorting(4), 10) != paths(2, sorting(4), 10)
