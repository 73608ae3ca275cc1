"""Our arcs are coverage.py's: the same branches exist, and the same runs take the same ones."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import coverage
import pytest

from untrod.engines.cover.branch_map import BranchMap, Tracer
from untrod.engines.cover.case import Arc

CURIOUS = """
import functools


def loops(limit):
    total = 0
    for number in range(limit):
        if number == 3:
            continue
        total += number
    else:
        total += 100
    while total > 50:
        total -= 7
        if total == 52:
            break
    return total


def handles(values, key):
    try:
        with Closing():
            found = values[key]
    except (KeyError, IndexError):
        return "missing"
    except TypeError as error:
        raise ValueError("of the wrong type") from error
    else:
        if found:
            return "found"
    finally:
        Closing.count += 1


class Closing:
    count = 0

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False


def generates(limit):
    for number in range(limit):
        if number % 2:
            yield number
        elif number > 4:
            yield from generates(2)


def drains(limit):
    return [
        number
        for number in generates(limit)
        if number
    ]


@functools.lru_cache
def matches(shape):
    match shape:
        case (0, 0):
            return "origin"
        case (x, y) if x == y:
            return "diagonal"
        case str():
            return "text"
    return (
        "other"
        if shape
        else "nothing"
    )


def long_condition(a, b):
    if (
        a > 0
        and b > 0
    ):
        return 1
    while True:
        if b > a:
            return 2
        b += 1  # pragma: no cover
"""
CALLS: list[tuple[str, tuple[Any, ...]]] = [
    ("loops", (0,)),
    ("loops", (3,)),
    ("loops", (20,)),
    ("handles", ({"a": 1}, "a")),
    ("handles", ({"a": 0}, "a")),
    ("handles", ({}, "a")),
    ("handles", (None, "a")),
    ("drains", (8,)),
    ("drains", (0,)),
    ("matches", ((0, 0),)),
    ("matches", ((1, 1),)),
    ("matches", ("text",)),
    ("matches", ((),)),
    ("long_condition", (1, 1)),
    ("long_condition", (0, 5)),
]


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "curious.py").write_text(textwrap.dedent(CURIOUS))
    monkeypatch.syspath_prepend(tmp_path)
    import importlib

    yield importlib.import_module("curious")
    del sys.modules["curious"]


def call(module: Any, name: str, arguments: tuple[Any, ...]) -> None:
    try:
        getattr(module, name)(*arguments)
    except ValueError:
        pass


def measured_by_coverage(path: str, run: Callable[[], None]) -> tuple[set[Arc], set[Arc]]:
    """The branches that exist, and those that were taken."""
    meter = coverage.Coverage(data_file=None, branch=True, config_file=False, include=[path])
    tracer = sys.gettrace()
    meter.start()
    try:
        run()
    finally:
        meter.stop()
        sys.settrace(tracer)
    analysis = meter._analyze(path)
    missing = {Arc("curious", a, b) for a, ends in analysis.missing_branch_arcs().items() for b in ends}
    taken = {Arc("curious", a, b) for a, ends in analysis.executed_branch_arcs().items() for b in ends}
    return missing | taken, taken


@pytest.mark.parametrize(("name", "arguments"), CALLS)
def test_a_run_takes_the_branches_that_coverage_sees(
    module: Any, name: str, arguments: tuple[Any, ...]
) -> None:
    branch_map = BranchMap({"curious": module.__file__})
    tracer = Tracer([module.__file__])
    module.matches.cache_clear()
    _, expected = measured_by_coverage(module.__file__, lambda: call(module, name, arguments))
    module.matches.cache_clear()
    with tracer:
        call(module, name, arguments)
    taken = branch_map.bits(tracer.arcs)
    assert branch_map.named(taken & branch_map.branches) == expected


def test_the_branches_are_those_that_coverage_counts(module: Any) -> None:
    def everything() -> None:
        for name, arguments in CALLS:
            call(module, name, arguments)

    branch_map = BranchMap({"curious": module.__file__})
    everywhere, _ = measured_by_coverage(module.__file__, everything)
    assert branch_map.named(branch_map.branches) == everywhere
    assert branch_map.total == len(everywhere)


def test_what_is_not_taken_is_described_with_its_line(module: Any) -> None:
    branch_map = BranchMap({"curious": module.__file__})
    arc = next(
        arc for arc in branch_map.untaken(0) if branch_map.line("curious", arc.start) == "if number == 3:"
    )
    assert "the condition on line" in branch_map.describe(arc)


def test_every_function_has_an_entrance(module: Any) -> None:
    branch_map = BranchMap({"curious": module.__file__})
    tracer = Tracer([module.__file__])
    with tracer:
        module.Closing().__enter__()
    (entrance,) = branch_map.named(branch_map.bits(tracer.arcs))
    assert branch_map.line("curious", entrance.end) == "def __enter__(self):"
    assert not branch_map.covered(branch_map.bits(tracer.arcs))


def test_arcs_come_back_from_their_names(module: Any) -> None:
    branch_map = BranchMap({"curious": module.__file__})
    assert branch_map.bits_of(branch_map.named(0b1011)) == 0b1011
    assert branch_map.bits_of([Arc("curious", 9999, 10000)]) == 0
