"""HOMI (Cha and Oh, ESEC/FSE 2020), what section 3 says in numbers: spaces, scores, shares, distributions,
sampling; and the naive methods of section 4.4."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from untrod.learn.homi import (
    EXPLOIT,
    EXPLORE,
    GRAIN,
    REVERSE,
    Archive,
    Entry,
    Homi,
    PruningDistributions,
    WeightVector,
)
from untrod.learn.pruning import RandomPruning, Restarts, RoundTest, Settings


def test_the_values_of_the_paper_are_the_defaults() -> None:
    settings = Settings()
    assert settings.ratios == (0.2, 0.4, 0.6)
    assert settings.lengths == (200, 400, 600, 800)
    assert (settings.features, settings.vectors, settings.warm_up, settings.opposites) == (200, 50, 10, 100)


def test_a_path_with_the_first_condition_only_scores_the_first_weight() -> None:
    """Section 3.1: feat(s) = (1, 0, 0), so feat(s) . theta = theta_1."""
    vector = WeightVector(("phi1", "phi2", "phi3"), (0.7, -0.2, 0.5), 0.2)
    (score,) = vector.scores([{"phi1", "some other condition"}])
    assert score / GRAIN == pytest.approx(0.7, abs=1e-9)


@pytest.mark.parametrize(("ratio", "dropped"), [(0.2, 20), (0.4, 40), (0.6, 60)])
def test_pruned_is_the_subset_of_that_size_with_the_smallest_sum_of_scores(
    ratio: float, dropped: int
) -> None:
    rng = Random(1)
    names = tuple(f"phi{number}" for number in range(12))
    vector = WeightVector(names, tuple(rng.uniform(-1, 1) for _ in names), ratio)
    states = {number: rng.sample(names, 4) for number in range(100)}
    scores = dict(zip(states, vector.scores(states.values()), strict=True))
    pruned = vector.lowest(states, rng)
    assert len(pruned) == dropped
    assert sum(scores[state] for state in pruned) == sum(sorted(scores.values())[:dropped])


def test_good_data_covers_what_all_data_cover() -> None:
    archive = Archive(100)
    for branches, name in (("123", "t1"), ("34", "t2"), ("12345", "t3"), ("6", "t4")):
        archive.add(branches, [name], None, 200)
    archive.settle()
    assert [entry.features for entry in archive.good] == [("t3",), ("t4",)]


def test_new_features_are_the_conditions_of_good_tests_and_at_most_200() -> None:
    homi = Homi(1)
    homi.begin_round()
    long_path = [f"arg[{number}] = 7" for number in range(500)]
    homi.end_round([RoundTest("12", ["a = 1"]), RoundTest("1", ["b = 2"]), RoundTest("345", long_path)])
    assert homi.distributions.features == tuple(long_path[:200])


def test_the_distribution_of_a_weight_has_the_mean_and_deviation_of_its_good_weights() -> None:
    vectors = {
        number: WeightVector(("phi",), (weight,), 0.2) for number, weight in enumerate((0.2, 0.4, 0.9))
    }
    good = [Entry(1 << number, ("phi", "new"), number, 200) for number in vectors]
    learned = PruningDistributions(good, vectors, Settings()).learned
    assert learned["phi"].mean == pytest.approx(0.5)
    assert learned["phi"].deviation == pytest.approx(((0.09 + 0.01 + 0.16) / 3) ** 0.5)
    assert "new" not in learned  # uniform: it was no feature when the good tests were made


def test_a_reverse_weight_is_the_farthest_of_a_hundred_uniform_draws() -> None:
    vectors = {0: WeightVector(("phi",), (0.5,), 0.2), 1: WeightVector(("phi",), (0.6,), 0.2)}
    distributions = PruningDistributions(
        [Entry(1, ("phi",), 0, 200), Entry(2, ("phi",), 1, 200)], vectors, Settings()
    )
    for seed in range(20):
        (weight,) = distributions.draw_vector(EXPLOIT, Random(seed)).weights
        rng = Random(seed)
        rng.random()  # the exploit draw
        draws = [rng.uniform(-1, 1) for _ in range(100)]
        (opposite,) = distributions.draw_vector(REVERSE, Random(seed)).weights
        assert abs(opposite - weight) == max(abs(draw - weight) for draw in draws)


def test_the_ratio_and_the_length_are_drawn_by_their_share_of_the_good_tests() -> None:
    """P_ratio(r) = |good tests made with r| / |good tests|, P_time likewise; uniform when exploring."""
    vectors = {number: WeightVector(("phi",), (0.1,), ratio) for number, ratio in enumerate((0.2, 0.2, 0.6))}
    good = [
        Entry(1 << number, ("phi",), number, length) for number, length in enumerate((400.0, 400.0, 800.0))
    ]
    distributions, rng = PruningDistributions(good, vectors, Settings()), Random(1)
    ratios = Counter(distributions.draw_vector(EXPLOIT, rng).ratio for _ in range(3_000))
    lengths = Counter(distributions.draw_length(EXPLOIT, rng) for _ in range(3_000))
    assert ratios.keys() == {0.2, 0.6}
    assert lengths.keys() == {400.0, 800.0}
    assert ratios[0.2] / 3_000 == pytest.approx(2 / 3, abs=0.03)
    assert lengths[800.0] / 3_000 == pytest.approx(1 / 3, abs=0.03)
    anything = Counter(distributions.draw_vector(EXPLORE, rng).ratio for _ in range(3_000))
    assert all(count / 3_000 == pytest.approx(1 / 3, abs=0.03) for count in anything.values())


def test_weights_lie_between_minus_one_and_one_however_they_are_drawn() -> None:
    vectors = {0: WeightVector(("phi",), (-0.9,), 0.2), 1: WeightVector(("phi",), (0.95,), 0.2)}
    good = [Entry(1, ("phi", "new"), 0, 200.0), Entry(2, ("phi",), 1, 200.0)]
    distributions, rng = PruningDistributions(good, vectors, Settings()), Random(2)
    for method in (EXPLOIT, REVERSE, EXPLORE):
        drawn = [distributions.draw_vector(method, rng).weights for _ in range(200)]
        assert all(-1.0 <= weight <= 1.0 for weights in drawn for weight in weights)


def test_the_naive_methods_of_section_4_4() -> None:
    """Random pruning: the same ratios, uniform, any states. Restarts: drawn lengths, nothing is dropped."""
    states = {number: {"a = 1"} for number in range(100)}
    pruning, restarts = RandomPruning(1), Restarts(1)
    dropped, lengths = Counter[int](), Counter[float | None]()
    for _ in range(200):
        lengths[restarts.begin_round().length] += 1
        assert restarts.prune(states) == []
        pruning.begin_round()
        dropped[len(pruning.prune(states))] += 1
    assert dropped.keys() == {0, 20, 40, 60}
    assert dropped[0] == 1  # the first round, as HOMI's
    assert lengths.keys() == {200, 400, 600, 800}


def test_the_first_round_never_prunes_ten_rounds_explore_then_three_methods() -> None:
    homi, methods = Homi(1), []
    states = {number: {"a = 1"} for number in range(10)}
    for number in range(310):
        methods.append(homi.begin_round().method)
        assert (len(homi.prune(states)) == 0) == (number == 0)
        homi.end_round([RoundTest("1", ["a = 1"], homi.serving)])
    assert methods[:10] == ["explore"] * 10
    counts = Counter(methods[10:])
    assert len(counts) == 3
    assert min(counts.values()) > 70
