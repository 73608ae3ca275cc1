"""Writes docs/reference from the code: `python tools/make_reference.py`. A test says when that is due."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import Any

import typer

from untrod.cli.app import app, settable
from untrod.core.events import KINDS
from untrod.core.vocabulary import Finding
from untrod.learn.catalogue import LEARNERS, settings_type
from untrod.runtime.limits import PERMISSIONS, Limits

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "reference"
MADE = "<!-- Made by tools/make_reference.py from the code. Change the code, and run it again. -->"


def pages() -> dict[str, str]:
    """The text of each page, by file name."""
    made = {"commands.md": _commands(), "events.md": _events(), "settings.md": _settings()}
    return {name: "\n".join([MADE, "", *lines]).rstrip() + "\n" for name, lines in made.items()}


def _commands() -> list[str]:
    top = typer.main.get_command(app)
    context = typer.Context(top, info_name="untrod")
    told = list(_verbs(top, context))
    lines = ["# Commands", "", "What `--help` says, on one page.", ""]
    lines += [f"- [`{path}`](#{path.replace(' ', '-')}): {_first(command.help)}" for path, command, _ in told]
    for path, command, own in told:
        rows = [record for param in command.params if (record := param.get_help_record(own))]
        lines += ["", f"## {path}", "", inspect.cleandoc(command.help or "")]
        if rows:
            lines += ["", *_table(("argument or option", "meaning"), [(f"`{a}`", b) for a, b in rows])]
    return lines


def _verbs(group: Any, context: Any) -> Iterator[tuple[str, Any, Any]]:
    """(path, command, context) of everything that can be run."""
    for name, command in group.commands.items():
        own = typer.Context(command, parent=context, info_name=name)
        if hasattr(command, "commands"):
            yield from _verbs(command, own)
        else:
            yield own.command_path, command, own


def _events() -> list[str]:
    lines = ["# Events", ""]
    lines += [
        "With `--json` every line on standard output is one of these, named by its field `event`. "
        "[inputs.md](../inputs.md#json-events) says when each is told.",
    ]
    for name, kind in [*KINDS.items(), ("finding, the object", Finding)]:
        lines += ["", f"## {name}", "", *_says(kind)]
        lines += _table(
            ("field", "type"), [(f"`{f.name}`", f"`{f.type}`") for f in fields(kind) if f.name != "blob"]
        )
    return lines


def _settings() -> list[str]:
    lines = ["# Settings", "", "## `[tool.untrod]` in `pyproject.toml`", ""]
    lines += ["A setting has the name of its flag, without the dashes; what is typed wins.", ""]
    lines += _table(
        ("table", "settings"),
        [
            (f"`[tool.untrod.{name}]`", ", ".join(f"`{flag}`" for flag in flags))
            for name, flags in settable().items()
            if flags
        ],
    )
    lines += ["", "## Settings of learners", "", "For `--set KEY=VALUE`."]
    for name in LEARNERS:
        lines += ["", f"### {name}", "", *_says(LEARNERS.find(name))]
        chosen = settings_type(name)
        if chosen is not None:
            rows = [(f"`{each.name}`", f"`{_default(each)}`") for each in fields(chosen)]
            lines += [*_says(chosen), *_table(("setting", "default"), rows)]
    lines += ["", "## Limits of a worker", ""]
    lines += _table(("limit", "default"), [(f"`{f.name}`", str(_default(f))) for f in fields(Limits)])
    lines += ["", "## What `--allow` can allow", ""]
    return lines + _table(("word", "meaning"), [(f"`{word}`", what) for word, what in PERMISSIONS.items()])


def _default(field: Field[Any]) -> Any:
    return field.default if field.default is not MISSING else "(see the code)"


def _says(kind: type[Any]) -> list[str]:
    """What the class says of itself; what a dataclass without words says is not worth repeating."""
    told = kind.__doc__ or ""
    if told.startswith("See the module"):
        told = _first(sys.modules[kind.__module__].__doc__)
    return [inspect.cleandoc(told), ""] if told and not told.startswith(f"{kind.__name__}(") else []


def _first(text: str | None) -> str:
    return " ".join((text or "").split("\n\n")[0].split())


def _table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    escaped = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return [_line(heads), "|" + "---|" * len(heads), *map(_line, escaped)]


def _line(cells: Any) -> str:
    return f"| {' | '.join(' '.join(cell.split()) for cell in cells)} |"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    print(f"docs/reference: {', '.join(pages())}", file=sys.stderr)
