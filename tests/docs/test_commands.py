"""Commands that are told and not run (for want of a device, or of time) can be typed as they are told."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer

from untrod.cli.app import app

ROOT = Path(__file__).resolve().parents[2]
GUIDES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs").glob("benchmarks/*.md")),
]
TEXT = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"^    (untrod [a-z].*)$", re.MULTILINE)
TOLD = re.compile(r"^(?:\$ )?(untrod [a-z].*)$", re.MULTILINE)


def told(document: Path) -> list[list[str]]:
    text = document.read_text()
    lines = [line for block in TEXT.findall(text) for line in TOLD.findall(block)]
    lines += INDENTED.findall(re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL))
    commands = [shlex.split(line, comments=True) for line in lines]
    return [words[1:] for words in commands if not words[2:3] or not words[2].endswith(":")]  # a headline


def parse(words: list[str]) -> None:
    """As the command line does, up to the point where something would be run."""
    command = typer.main.get_command(app)
    context = typer.Context(command, info_name="untrod")
    while hasattr(command, "commands"):
        named = command.commands.get(words[0])
        command = named or command.commands["screens"]  # `explore URL`
        words = words[1:] if named else words
    command.make_context("untrod", list(words), parent=context)


@pytest.mark.parametrize(
    "document", [path for path in GUIDES if told(path)], ids=lambda path: str(path.relative_to(ROOT))
)
def test_it_can_be_typed_as_told(document: Path) -> None:
    for words in told(document):
        parse(words)


def test_what_cannot_be_typed_is_noticed() -> None:
    with pytest.raises(typer.TyperException, match="--colour"):
        parse(["inputs", "a.py:b", "--colour", "red"])


def test_there_are_some() -> None:
    assert sum(len(told(document)) for document in GUIDES) > 10
