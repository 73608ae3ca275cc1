"""The classes of textbook functions, worst and average, from what the climber finds in its first round."""

from __future__ import annotations

import importlib.util
import math
from random import Random
from statistics import fmean, stdev

import pytest

from untrod.engines.worst.curves import Curves
from untrod.engines.worst.growth import Point, differ, fit
from untrod.engines.worst.policies.climb import Climb
from untrod.engines.worst.search import SizeSearch
from untrod.engines.worst.taint import Branches


def load(folder, name):
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def insert_all(values: list[int]) -> None:
    """A hash table with linear probing, half full."""
    table: list[int | None] = [None] * (2 * len(values))
    for value in values:
        place = value % len(table)
        while table[place] is not None and table[place] != value:
            place = (place + 1) % len(table)
        table[place] = value


class Deaf:
    def worst(self, record): ...

    def failed(self, size, trouble): ...

    def tell(self, text): ...


def curves(subject, sizes):
    search = SizeSearch(subject, Climb(0), sizes, 0, Deaf())
    while not search.rounds:
        search.step()
    return Curves.of([record.to_json() for record in search.records])


@pytest.mark.parametrize(
    ("name", "worst", "average"),
    [
        ("insertion_sort", "n^2", "n^2"),
        ("quicksort", "n^2", "n log n"),
        ("merge_sort", "n log n", "n log n"),
        ("binary_search", "log n", "log n"),
        ("find", "n^2", "n"),
    ],
)
def test_the_fitted_classes_are_those_of_the_textbook(subject_of, examples, name, worst, average):
    sorting, matching = load(examples, "sorting"), load(examples, "matching")
    function = getattr(sorting, name, None) or getattr(matching, name, None)
    factory = matching.text_and_pattern if name == "find" else None
    found = curves(subject_of(function, "steps", factory=factory), (4, 8, 16, 32, 64))
    assert (found.worst.name, found.average.name) == (worst, average), (found.worst, found.average)
    assert bool(found.alarm()) is (worst != average)


def test_hash_probing_is_quadratic_at_worst_and_linear_on_average():
    """The worst keys share one slot. (They are given here: which policy finds them is another question.)"""
    cost, sizes = Branches(), (8, 16, 32, 64, 128)
    rng = Random(0)
    worst, means = [], []
    for n in sizes:
        worst.append(Point(n, cost.measure(insert_all, ([2 * n * key for key in range(n)],)).cost))
        drawn = [
            cost.measure(insert_all, ([rng.randrange(10**6) for _ in range(n)],)).cost for _ in range(50)
        ]
        means.append(Point(n, fmean(drawn), stdev(drawn) / math.sqrt(len(drawn))))
    assert (fit(worst).name, fit(means).name) == ("n^2", "n")
    assert differ(fit(worst), fit(means), worst, means)
