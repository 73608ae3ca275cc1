"""Few sets that cover everything."""

from __future__ import annotations

from random import Random

from untrod.learn.set_cover import set_cover


def test_the_largest_set_comes_first_then_what_adds_most() -> None:
    assert set_cover([0b000011, 0b001111, 0b110000, 0b100000]) == [1, 2]


def test_what_counts_is_what_is_new() -> None:
    assert set_cover([0b0001111, 0b0000111, 0b1100000, 0b0111110]) == [3, 0, 2]


def test_on_a_tie_the_larger_set_then_the_earlier_one() -> None:
    assert set_cover([0b0111, 0b1001, 0b1011, 0b1011]) == [0, 2]
    assert set_cover([0b01, 0b10, 0b01]) == [0, 1]


def test_nothing_is_covered_by_nothing() -> None:
    assert set_cover([]) == []
    assert set_cover([0, 0]) == []


def test_it_is_the_greedy_algorithm_and_loses_nothing() -> None:
    rng = Random(5)
    for _ in range(100):
        sets = [rng.getrandbits(24) & rng.getrandbits(24) for _ in range(rng.randrange(1, 30))]
        chosen, covered, everything = set_cover(sets), 0, 0
        for members in sets:
            everything |= members
        for position in chosen:  # the textbook's way: count every gain at every step
            best = max(
                range(len(sets)),
                key=lambda at: ((sets[at] & ~covered).bit_count(), sets[at].bit_count(), -at),
            )
            assert position == best
            covered |= sets[position]
        assert covered == everything
