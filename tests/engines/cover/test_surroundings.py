"""What a run bends of its process is put back: our own code stands on it, and so does the next run."""

from __future__ import annotations

import builtins
import sys
import warnings

import pytest

from untrod.engines.cover.case import Input, Step
from untrod.source.nodes import Text

SOURCE = """
import builtins, io, sys, warnings

def bend(what: str) -> str:
    if what == "len":
        builtins.len = lambda value: 42
        builtins.isinstance = lambda value, kind: False
        builtins.extra = 1
    elif what == "streams":
        sys.stdout = io.StringIO()
    elif what == "path":
        sys.path.append("nowhere")
    elif what == "warnings":
        warnings.simplefilter("error")
    elif what == "depth":
        sys.setrecursionlimit(sys.getrecursionlimit() + 7)
    if what.endswith("!"):
        builtins.any = None
        raise ValueError(what)
    return what
"""


def state() -> tuple:
    return (
        dict(vars(builtins)),
        sys.stdout,
        list(sys.path),
        list(warnings.filters),
        sys.getrecursionlimit(),
    )


@pytest.mark.parametrize("what", ["len", "streams", "path", "warnings", "depth", "any!"])
def test_everything_is_as_it_was(load, what: str) -> None:
    subject = load("bending", source=SOURCE)
    before = state()
    run = subject.run(Input("bending:bend", (Step("bend", (Text(what),)),)))
    assert run.valid
    assert state() == before


@pytest.mark.parametrize(("what", "testable"), [("len", False), ("any!", False), ("path", True)])
def test_what_mangles_builtins_is_no_test(load, what: str, testable: bool) -> None:
    subject = load("bending", source=SOURCE)
    assert subject.run(Input("bending:bend", (Step("bend", (Text(what),)),))).testable is testable
