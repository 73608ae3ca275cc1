"""The CrossHair engine keeps the protocol."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from untrod.symbolic.crosshair.executor import CrosshairExecutor
from untrod.symbolic.shapes import Arguments, Bytes, Dict, Int, Text
from untrod.testing import executors as conformance


@pytest.mark.parametrize("check", conformance.CHECKS, ids=lambda check: check.__name__)
def test_the_engine_keeps_the_protocol(check: Callable[[conformance.Make], None]) -> None:
    check(CrosshairExecutor)


def test_two_processes_find_the_same_inputs() -> None:
    engine = "untrod.symbolic.crosshair.executor:CrosshairExecutor"
    story = conformance.fresh_story(engine)
    assert "done" in story
    assert story == conformance.fresh_story(engine)


def test_unknown_is_kept_apart() -> None:
    def starved(function: Callable[..., Any], arguments: Arguments) -> CrosshairExecutor:
        return CrosshairExecutor(function, arguments, solver_units=1)

    conformance.unknown_is_kept_apart(starved)


def test_bytes_dicts_and_alphabets_are_taken_as_the_shape_says() -> None:
    def finds(data: bytes, table: dict[str, int], text: str) -> str:
        if data[1] == 7 and table["k"] > 3:
            return text
        return "other"

    shape = Arguments((Bytes(2), Dict(("k",), Int(0, 5)), Text(2, "xy")))
    results = conformance.explore(CrosshairExecutor(finds, shape))

    assert {result.value == "other" for result in results} == {True, False}
    for result in results:
        data, table, text = result.inputs or pytest.fail("no inputs")
        assert type(data) is bytes
        assert len(data) == 2
        assert 0 <= table["k"] <= 5
        assert set(text) <= {"x", "y"}
        assert len(text) == 2
    conformance.confirmed(finds, results)
