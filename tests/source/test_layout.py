"""The layout is ruff's: compared with ruff itself, on values of every shape."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from random_values import value

from untrod.source.layout import flat, references, statement
from untrod.source.literals import express
from untrod.source.nodes import Atom, Call, Display, Pairs, Ref, Text

RUFF = [sys.executable, "-m", "ruff"]


def ruff(*arguments: str, cwd: Path) -> str:
    done = subprocess.run([*RUFF, *arguments], cwd=cwd, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


@pytest.mark.parametrize("seed", range(4))
def test_ruff_would_change_nothing(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    lines = []
    for number in range(80):
        node = express(value(random))
        if node is None:
            continue
        lines += statement(node, before=f"{'x' * random.randint(1, 30)} = ")
        lines += statement(Call(Atom("f"), (node,)))
        lines += statement(Call(Ref("m", "g"), (Atom("0"), node), (("key", node),)))
        lines += statement(Call(Atom("mark"), (), (("key", node),)), before=f"v{number} = ")
        lines += statement(Display("[", (node, node)), before="x = ")
    (tmp_path / "generated.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert ruff("format", "--isolated", "--diff", "generated.py", cwd=tmp_path) == ""
    assert ruff("check", "--isolated", "--select", "E501,W", "generated.py", cwd=tmp_path) == ""


def test_what_fits_stays_on_one_line() -> None:
    assert statement(Display("[", (Atom("1"), Atom("2"))), before="x = ") == ["x = [1, 2]"]


def test_an_empty_set_is_not_written_as_a_dict() -> None:
    """Taking items away, as `simpler` does, may leave a set without any."""
    empty = Display("{", ())
    assert eval(flat(Display("[", (empty, Call(Atom("frozenset"), (empty,)))))) == [set(), frozenset()]
    assert flat(Pairs(())) == "{}"


def test_a_display_that_does_not_fit_has_one_element_per_line() -> None:
    wide = Text("a" * 50)
    assert statement(Display("[", (wide, wide)), before="x = ") == [
        "x = [",
        f'    "{"a" * 50}",',
        f'    "{"a" * 50}",',
        "]",
    ]


def test_a_lone_argument_has_no_trailing_comma() -> None:
    lines = statement(Call(Atom("f"), (Text("a" * 84),)))
    assert lines[0] == "f("
    assert not lines[-2].endswith(",")


def test_references_are_listed_in_reading_order_and_spelled_by_the_caller() -> None:
    inner, outer = Ref("m", "inner"), Ref("m", "outer")
    node = Call(outer, (Call(inner, ()),))
    assert references(node) == [outer, inner]
    assert flat(node, {inner: "i", outer: "o"}.__getitem__) == "o(i())"
