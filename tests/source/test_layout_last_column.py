"""The layout around the last column, compared with ruff itself."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal
from pathlib import Path

from untrod.source.layout import statement
from untrod.source.literals import express
from untrod.source.nodes import Atom, Call


def ruff(*arguments: str, cwd: Path) -> str:
    command = [sys.executable, "-m", "ruff", *arguments]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_ruff_would_change_nothing_around_the_last_column(tmp_path: Path) -> None:
    lines = []
    small = {"key": 1, "other key": [2]}
    for length in range(2, 100):
        text = ("ab " * 40)[: length - 1] + "."
        for shape in (
            text,
            [text],
            [text, 1],
            {"k": text},
            {text: [1, 2]},
            {text: small},
            {text: Decimal(1)},
        ):
            node = express(shape)
            assert node is not None
            lines += statement(node, before="x = ")
            lines += statement(Call(Atom("f"), (node,), (("key", Atom("None")),)))
    (tmp_path / "generated.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert ruff("format", "--isolated", "--diff", "generated.py", cwd=tmp_path) == ""
    assert ruff("check", "--isolated", "--select", "E501,W", "generated.py", cwd=tmp_path) == ""
