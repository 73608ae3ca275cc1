"""What a whole search says: the curve of the worst input next to that of the average one."""

from __future__ import annotations

import math

from untrod.engines.worst.curves import TIMED_OUT, Curves, SizeRecord

SIZES = (4, 8, 16, 32, 64)


def record(size, cost, mean, samples=30, **more):
    total, squares = mean * samples, mean * mean * samples
    numbers, sums = list(range(size)), {"drawn": 30, "samples": samples, "total": total, "squares": squares}
    return SizeRecord(size, cost, numbers, **sums, **more).to_json()


def quadratic_against_linear():
    return [record(n, n * n, 3 * n) for n in SIZES]


def test_worst_and_average_are_fitted_and_compared():
    curves = Curves.of(quadratic_against_linear())
    assert (curves.worst.name, curves.average.name) == ("n^2", "n")
    assert curves.alarm() == "the worst input grows like n^2, the average one like n (sizes 4 to 64)"
    assert curves.counts()["sizes"][0] == {
        "size": 4, "worst": 16, "average": 12.0, "input": "", "by": "",
        "attempts": 0, "raises": "", "closed": "",
    }  # fmt: skip


def test_equal_classes_are_no_alarm():
    assert Curves.of([record(n, n * n, n * n / 2) for n in SIZES]).alarm() == ""


def test_a_worst_input_that_grows_less_than_the_average_was_not_found():
    curves = Curves.of([record(n, round(900 * math.sqrt(n)), 30 * n) for n in SIZES])
    assert (curves.worst.name, curves.average.name, curves.alarm()) == ("", "n", "")
    assert "what was found grows like sqrt n, less than the average" in str(curves.worst)


def test_of_two_shards_the_costlier_counts():
    weaker = [record(n, round(n * math.log2(n)), 3 * n) for n in SIZES]
    curves = Curves.of([*quadratic_against_linear(), *weaker])
    assert [known.cost for known in curves.records] == [n * n for n in SIZES]


def test_a_size_that_timed_out_is_shown_and_not_fitted():
    bodies = [*quadratic_against_linear(), record(128, 99, 99, closed=TIMED_OUT), SizeRecord(256).to_json()]
    curves = Curves.of(bodies)
    assert curves.worst.name == "n^2"
    assert curves.largest is not None
    assert curves.largest.size == 64
    assert curves.counts()["sizes"][-1]["worst"] is None


def test_a_sample_of_which_some_could_not_be_run_is_no_average():
    assert SizeRecord(**record(8, 9, 9, samples=29)).average is None
    assert SizeRecord(**record(8, 9, 9, samples=30)).average is not None


def test_a_cost_that_never_varies_is_flat():
    assert Curves.of([record(n, 7, 7) for n in SIZES]).flat
    assert not Curves.of([record(n, n, n) for n in SIZES]).flat
    assert not Curves.of([record(n, 8, 7) for n in SIZES]).flat
    assert not Curves.of([SizeRecord(4).to_json()]).flat
