"""Inputs with settings are drawn where the code looks outside, and nowhere else."""

from __future__ import annotations

from random import Random

from untrod.engines.cover.drawing import Drawer
from untrod.engines.cover.loading import load_words
from untrod.engines.cover.outside.dressing import NATURAL, DressedDrawer
from untrod.engines.cover.values.kinds import DrawContext
from untrod.source.nodes import Display, Text

SOURCE = """
import os, sys, argparse
from pathlib import Path

def add(a: int, b: int) -> int:
    return a + b

def main():
    if "--fast" in sys.argv:
        return 1
    return 0

def mode():
    return os.environ.get("APP_MODE") == "fast"

def count(path: Path) -> int:
    if path.is_dir():
        return -1
    if not path.exists():
        return -2
    return len(path.read_text().splitlines())

def size(name):
    try:
        return os.stat(name).st_size
    except OSError:
        return -1
"""


def drawn(load, name: str, times: int = 200) -> list:
    subject = load("dressy", source=SOURCE)
    context = DrawContext(Random(1), load_words(subject))
    drawer = subject.drawers[f"dressy:{name}"]
    first = [drawer.draw(context) for _ in range(times)]
    return first + [drawer.mutate(given, first, context) for given in first]


def test_what_looks_at_nothing_outside_is_drawn_as_ever(load) -> None:
    subject = load("dressy", source=SOURCE)
    assert type(subject.drawers["dressy:add"]) is Drawer
    assert type(subject.drawers["dressy:main"]) is DressedDrawer


def test_arguments_of_the_process_begin_with_the_program(load) -> None:
    inputs = drawn(load, "main")
    values = [setting.value for given in inputs for setting in given.world if setting.name == "sys:argv"]
    assert len(values) > 300
    assert all(isinstance(value, Display) and value.items[0] == Text("prog") for value in values)
    assert any(Text("--fast") in value.items for value in values)


def test_every_case_of_a_file_is_drawn_and_run(load) -> None:
    subject = load("dressy", source=SOURCE)
    runs = [subject.run(given) for given in drawn(load, "count")]
    assert all(run.testable for run in runs)
    assert {-2, -1, 0, 1} <= {run.value for run in runs}


def test_the_same_seed_draws_the_same(load) -> None:
    assert drawn(load, "count") == drawn(load, "count")
    assert drawn(load, "mode") == drawn(load, "mode")


def test_functions_raise_what_a_handler_waits_for_only_after_a_while(load) -> None:
    inputs = drawn(load, "size", NATURAL)
    raising = [number for number, given in enumerate(inputs) if any(s.kind == "raise" for s in given.world)]
    assert raising
    assert min(raising) >= NATURAL
