"""The contract of a bench's report: what the JSON holds, when a bar holds, how losses are shown."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from bench.report import Bar, Report, Result, Row, quartiles
from rich.console import Console

ROW = Row.of("trees", "learner", "unique", [4.0, 1.0, 3.0, 2.0])
HELD, LOST = Bar.at_least("gain", 9.0, 8.0), Bar.at_most("cost", 4.5, 4.0)


def test_a_report_is_written_as_exactly_the_agreed_json(tmp_path: Path) -> None:
    Report("inputs --quick", {"cores": 2}, Result((ROW,), (HELD, LOST))).write(tmp_path / "out.json")

    assert json.loads((tmp_path / "out.json").read_text()) == {
        "bench": "inputs --quick",
        "machine": {"cores": 2},
        "rows": [
            {
                "subject": "trees",
                "contender": "learner",
                "metric": "unique",
                "median": 2.5,
                "q1": 1.75,
                "q3": 3.25,
                "n": 4,
            }
        ],
        "bars": [
            {"name": "gain, at least", "value": 9.0, "bar": 8.0, "holds": True},
            {"name": "cost, at most", "value": 4.5, "bar": 4.0, "holds": False},
        ],
    }


def test_notes_are_kept_once() -> None:
    joined = Result.joined([Result(notes=("thinned",)), Result(notes=("thinned", "lifted"))])

    assert Report("x", {}, joined).to_json()["notes"] == ["thinned", "lifted"]


@pytest.mark.parametrize(
    ("bar", "holds"),
    [
        (Bar.at_least("x", 8.0, 8.0), True),
        (Bar.at_least("x", 7.9, 8.0), False),
        (Bar.at_most("x", 4.0, 4.0), True),
        (Bar.at_most("x", 4.1, 4.0), False),
        (Bar.within("x", 85.0, 100.0, 0.15), True),
        (Bar.within("x", 115.1, 100.0, 0.15), False),
        (Bar.within("x", 84.9, 100.0, 0.15), False),
        (Bar.at_least("x", None, 0.0), False),
        (Bar.at_most("x", None, 9.0), False),
    ],
)
def test_a_bar_holds_on_its_own_side_only_and_never_without_a_measurement(bar: Bar, holds: bool) -> None:
    assert bar.holds is holds


def test_quartiles_of_one_value_are_that_value() -> None:
    assert quartiles([3.0]) == (3.0, 3.0, 3.0)


def test_the_table_marks_losses_and_shows_spread() -> None:
    out = io.StringIO()

    Report("inputs", {"cores": 2}, Result((ROW,), (HELD, LOST), ("a note",))).show(
        Console(file=out, width=120)
    )

    lines = out.getvalue().splitlines()
    assert any("LOST" in line and "cost, at most 4" in line for line in lines)
    assert any("holds" in line and "gain, at least 8" in line for line in lines)
    assert any("2.5 [1.75..3.25]" in line for line in lines)
    assert "note: a note" in lines
    assert "1 of 2 bars hold" in lines
