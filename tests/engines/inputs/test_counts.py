"""What a campaign counts: written and read through one decoder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from untrod.core.shapes import Malformed
from untrod.engines.inputs.backend.engine import HypothesisConfig, HypothesisEngine
from untrod.engines.inputs.counts import inputs_counts
from untrod.engines.inputs.engine import MOST_BLAMED, InputsConfig, InputsEngine
from untrod.runtime.loading import TargetName

OPTION: dict[str, Any] = {"site": "f:2:4", "option": 0, "options": 2, "after": [], "within": [], "tried": 9}
REASON: dict[str, Any] = {
    "text": "`x=1`: 0 of 9 valid",
    "choice": "`x=1`",
    "valid": 0,
    "tried": 9,
    "at": "",
    "source": "",
}


def test_shards_are_summed_and_the_most_tried_options_are_kept() -> None:
    engine = InputsEngine(InputsConfig(TargetName("m", "f", ".")), 1, Path(), 2)
    reports = [
        {"states": 3, "convicted": [{**OPTION, "tried": tried} for tried in range(10)]},
        {"states": 4},  # of a learner that blames no option, or of one that was just restored
    ]

    counts = inputs_counts(engine.extra(reports))

    assert counts["states"] == 7
    assert [each["tried"] for each in counts["convicted"]] == list(range(9, 9 - MOST_BLAMED, -1))


def test_reasons_are_kept_by_test() -> None:
    engine = HypothesisEngine(HypothesisConfig(("tests",)), 1, Path(), 2)
    reports = [{"rejections": {"t.py::a": [REASON]}}, {"rejections": {"t.py::b": []}}]

    assert inputs_counts(engine.extra(reports))["rejections"] == {"t.py::a": [REASON], "t.py::b": []}


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ([], "counts is no object"),
        ({"states": "3"}, "counts.states is no whole number"),
        ({"convicted": [{**OPTION, "after": [1]}]}, "counts.convicted.after holds what is no text"),
        ({"rejections": {"t": [{**REASON, "tried": None}]}}, "counts.rejections.tried is no whole number"),
    ],
)
def test_what_is_wrong_is_named(body: Any, complaint: str) -> None:
    with pytest.raises(Malformed, match=complaint):
        inputs_counts(body)


def test_an_older_campaign_counted_less() -> None:
    assert inputs_counts({}) == {}
