"""`bench safety` measures walls that are really there."""

from __future__ import annotations

import pytest
from bench.plan import Plan
from bench.safety import walls

from untrod.runtime import landlock


def test_each_start_is_measured_with_the_walls_that_it_is_named_after() -> None:
    result = walls.START.run(Plan(seeds=1))

    assert [row.contender for row in result.rows] == list(walls.WALLS)
    assert landlock.in_words() in result.notes


@pytest.mark.parametrize("contender", walls.WALLS)
def test_the_walls_stand(contender: str) -> None:
    program = walls._START + (
        "try:\n    os.mkdir('/untrod-bench'); refused = os.rmdir('/untrod-bench')\n"
        "except PermissionError as error:\n    refused = type(error).__name__\n"
        "print(json.dumps({'refused': refused}))\n"
    )
    expected = {"without": None, "kernel": "PermissionError" if landlock.abi() else None}
    assert walls._said(program, contender)["refused"] == expected.get(contender, "Refused")
