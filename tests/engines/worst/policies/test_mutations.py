from __future__ import annotations

from random import Random

import pytest

from untrod.engines.worst.policies.climb import MUTATIONS, Limits, Mutation
from untrod.engines.worst.protocol import Field


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_a_mutation_changes_its_stretch_and_nothing_else(mutation: Mutation) -> None:
    rng, changed = Random(1), 0
    for _ in range(200):
        vector = [3, 1, 4, 1, 5, 9, 2, 6]
        mutation(vector, range(2, 6), rng)
        assert len(vector) == 8
        assert (vector[:2], vector[6:]) == ([3, 1], [2, 6])
        changed += vector != [3, 1, 4, 1, 5, 9, 2, 6]
    assert changed > 50


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_a_single_leaf_can_be_mutated(mutation: Mutation) -> None:
    vector = [3]
    mutation(vector, range(1), Random(1))
    assert len(vector) == 1


def test_starts_have_a_pattern_within_the_bounds() -> None:
    starts = Limits([Field(int, 4)]).starts()
    assert [0, 1, 2, 3] in starts
    assert [3, 2, 1, 0] in starts
    assert [0, 1, 0, 1] in starts
    assert [0, 0, 0, 1] in starts
    bounded = Limits([Field(str, 6, 97, 99)]).starts()
    assert all(97 <= value <= 99 for vector in bounded for value in vector)


def test_two_fields_may_differ() -> None:
    starts = Limits([Field(int, 3), Field(int, 2)]).starts()
    assert [0, 0, 0, 0, 1] in starts, "a text of equal characters, a pattern that misses at its end"


def test_a_row_is_stretched_by_repeating_values_and_by_repeating_all() -> None:
    limits = Limits([Field(int, 6)])
    assert limits.stretched([[1, 2, 3]]) == [[1, 1, 2, 2, 3, 3], [1, 2, 3, 1, 2, 3]]
    assert limits.stretched([[1], [2]]) == [], "other fields than before"


def test_many_fields_start_as_a_matrix_with_a_pattern_over_both_indices() -> None:
    free = Limits([Field(int, 3, 0)] * 3).starts()
    assert [0, 1, 4, 1, 0, 1, 4, 1, 0] in free, "nodes on a line, where a detour saves"
    bounded = Limits([Field(int, 100, 1, 1000)] * 100).starts()
    assert all(1 <= value <= 1000 for vector in bounded for value in vector)
    assert any(max(vector) > 900 and len(set(vector)) > 90 for vector in bounded), (
        "pressed into the bounds, not cut"
    )


def test_the_clamp_of_a_stretch_leaves_the_rest_alone() -> None:
    vector = [9, 9, 9]
    Limits([Field(int, 3, 0, 5)]).clamp(vector, range(1, 2))
    assert vector == [9, 5, 9]
