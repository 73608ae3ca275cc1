"""The same formulas, written in Python."""

import re
from pathlib import Path

import pytest

from untrod.core.errors import UntrodError
from untrod.ltl import F, G, N, R, U, W, X, action, activity, contains, equals, parse, text


@pytest.mark.parametrize(
    ("built", "written"),
    [
        (F(text("Saved")), "F [text ~ Saved]"),
        (G(~activity("Error"), within=3), "G[<=3] ![activity ~ Error]"),
        (F(text("Saved"), within="2s"), "F[<=2s] [text ~ Saved]"),
        (U(equals("a", True), contains("left", 2), within="1.5s"), "[a = true] U[<=1.5s] [left ~ 2]"),
        (W(text("a"), text("b")) | text("c"), "[text ~ a] W [text ~ b] | [text ~ c]"),
        (R(text("a"), text("b"), within=0), "[text ~ a] R[<=0] [text ~ b]"),
        (text("a") & text("b") & X(N(text("c"))), "[text ~ a] & [text ~ b] & X N [text ~ c]"),
        (text("a") & (text("b") & text("c")), "[text ~ a] & ([text ~ b] & [text ~ c])"),
        (text("a") >> F(text("b")), "[text ~ a] -> F [text ~ b]"),
        (action("click", "About"), "[actionType = click] & [actionDetail ~ About]"),
        (action("back"), "[actionType = back]"),
    ],
)  # fmt: skip
def test_formulas(built, written):
    assert built is parse(written)


@pytest.mark.parametrize("within", [-1, "2", "2 minutes", "soon"])
def test_bounds_that_are_none(within):
    with pytest.raises(UntrodError, match="is not a bound"):
        F(text("a"), within=within)


def test_names_that_could_not_be_read_back():
    with pytest.raises(UntrodError, match="cannot be the name of a label"):
        equals("two words", "x")


def test_the_example_in_the_docs_prints_what_it_says(capsys):
    page = (Path(__file__).parents[2] / "docs" / "ltl.md").read_text()
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(example, {})
    said = re.findall(r"^# (.*)", example, re.MULTILINE)
    printed = capsys.readouterr().out.splitlines()
    assert len(said) == len(printed) == 3
    for comment, line in zip(said, printed, strict=True):
        assert line.startswith(comment.removesuffix(" ..."))
