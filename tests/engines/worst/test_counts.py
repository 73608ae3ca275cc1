"""Cost against size, as a person reads it."""

from __future__ import annotations

import json

import pytest

from untrod.core.shapes import Malformed
from untrod.engines.worst.counts import decode, growth_lines, result_line, run_line, size_lines
from untrod.engines.worst.curves import SizeRecord
from untrod.engines.worst.engine import WorstConfig, WorstEngine
from untrod.runtime.loading import TargetName

ROW = {"size": 8, "worst": 800, "average": 400.25, "by": "climb", "raises": "", "closed": ""}
EXTRA = {
    "cost": "steps",
    "sizes": [
        {**ROW, "size": 4, "worst": 200, "average": 150.0, "by": "random"},
        ROW,
        {**ROW, "size": 16, "worst": 3200, "average": 1600.5, "raises": "ValueError: no"},
        {**ROW, "size": 32, "worst": None, "average": None, "by": "", "closed": "timed out"},
    ],
    "worst": {"class": "n^2", "confidence": 0.987, "rival": "n^3", "formula": "12 n^2", "reason": ""},
    "average": {"class": "n", "confidence": 0.6, "rival": "n log n", "formula": "9 n", "reason": ""},
    "alarm": "",
    "paths": 12,
    "infeasible_share": 0.25,
}
SIZES = [{**row, "input": "f([1])", "attempts": 9} for row in EXTRA["sizes"]]


def test_a_line_for_each_size_with_a_bar():
    assert size_lines(EXTRA) == (
        "  size         worst       average  found by  = average, - worst",
        "     4           200         150.0  random    ==",
        "     8           800        400.25  climb     =====-----",
        "    16         3,200         1,600  climb     " + "=" * 20 + "-" * 20 + " raises ValueError: no",
        "    32             ?             ?             timed out",
    )


def test_growth_is_told_with_its_doubts():
    assert growth_lines(EXTRA) == (
        "worst    n^2 (98% sure): 12 n^2",
        "average  n (60% sure, else n log n): 9 n",
    )
    nothing = {"class": "", "confidence": 0, "rival": "", "formula": "", "reason": "not enough sizes"}
    assert growth_lines({**EXTRA, "average": nothing})[1] == "average  not enough sizes"


def test_what_it_came_to():
    assert result_line(EXTRA) == "3,200 steps at size 16, n^2"
    assert result_line({"sizes": []}) == "no input could be run"
    assert run_line(1090, EXTRA) == (
        "1,090 runs, 12 of them along symbolic paths (25% of the wanted branches infeasible),"
    )
    assert run_line(1090, {**EXTRA, "paths": 0}) == "1,090 runs"


def test_what_stands_in_an_event_is_decoded():
    stored = json.loads(json.dumps({**EXTRA, "sizes": SIZES, "engine": "lean"}))
    assert decode(stored) == stored
    assert decode({}) is None, "nothing has been run"
    assert decode({"cost": "steps", "sizes": []}) is None


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        ({"sizes": [{**SIZES[0], "worst": "many"}]}, "counts.sizes.worst is no whole number"),
        ({"sizes": [{"size": 4}]}, "counts.sizes has no worst"),
        ({"average": None}, "counts.average is no object"),
        ({"worst": {"class": "n"}}, "counts.worst has no confidence"),
        ({"cost": 3}, "counts.cost is no text"),
        ({"paths": -1}, "counts.paths is a number out of range"),
    ],
)
def test_the_decoder_names_what_is_wrong(damage, complaint):
    with pytest.raises(Malformed, match=complaint):
        decode({**EXTRA, "sizes": SIZES, "engine": "", **damage})


def test_what_the_engine_counts_is_what_the_decoder_reads(tmp_path):
    engine = WorstEngine(WorstConfig(TargetName("m", "f", "."), (4, 8)), 0, tmp_path)
    records = [SizeRecord(4, 7, [1, 2], "f(1, 2)", "climb", drawn=1, samples=1, total=5.0), SizeRecord(8)]
    report = {"places": [record.to_json() for record in records], "size": 8, "engine": "lean"}
    counted = engine.extra([{**report, "paths": 3, "decisions": 4, "infeasible": 1}])
    counts = decode(json.loads(json.dumps(counted)))
    assert counts == counted
    assert [size["worst"] for size in counts["sizes"]] == [7, None]
    assert counts["infeasible_share"] == 0.25
    assert engine.extra([]) == {}
