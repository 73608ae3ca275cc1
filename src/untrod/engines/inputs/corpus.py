"""Corpus files: inputs to begin with, one per line.

    {"xs": [1, 2, 3], "limit": 7}          the arguments of a test, as JSON
    {'point': (1, 2), 'data': b'x'}        or as a Python literal
    [3, 1, 2]                              the only argument of a test
    {"event": "corpus", "trace": ...}      what `untrod campaigns export` writes

    [0, 3, 1, 1]                           the choices of a generator

Empty lines and lines that begin with `#` say nothing. Lines travel to the workers as text: JSON has no
tuples and no bytes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from untrod.core.errors import UntrodError
from untrod.core.events import KINDS
from untrod.core.reading import parse_json, read_text
from untrod.core.vocabulary import Json

MOST = 1_000
"""So many lines are used; of a longer file, evenly spread ones."""
_LONGEST = 1_000_000
_EVENTS = {"campaign", *KINDS}


@dataclass(frozen=True, slots=True)
class Entry:
    """Either the answers of an exported trace, or a value."""

    line: int
    answers: tuple[Json, ...] | None = None
    value: Any = None

    def arguments(self, names: Sequence[str]) -> dict[str, Any] | None:
        """The value as the arguments `names`, or None when it does not fit them."""
        if isinstance(self.value, dict) and set(self.value) == set(names):
            return self.value
        return {names[0]: self.value} if len(names) == 1 else None


def read_corpus(path: Path) -> list[tuple[int, str]]:
    """Line numbers and lines. Raises UntrodError that names the first bad line."""
    try:
        text = read_text(path)
    except OSError as error:
        raise UntrodError(f"the corpus {path} cannot be read: {error.strerror}", "check the path") from error
    except UnicodeDecodeError as error:
        raise UntrodError(f"the corpus {path} is not UTF-8 text", "give JSON lines") from error
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if _says_something(line)]
    kept = [(number, line) for number, line in lines if _parse(path, number, line) is not None]
    step = max(1.0, len(kept) / MOST)
    return [kept[int(index * step)] for index in range(min(len(kept), MOST))]


def traces_of(path: Path, lines: Sequence[tuple[int, str]]) -> list[list[int]]:
    """What a corpus means to a generator: choices. Raises UntrodError that names the first line without."""
    traces = []
    for number, line in lines:
        entry = entry_of(number, line)
        answers = entry and (entry.value if entry.answers is None else list(entry.answers))
        if not isinstance(answers, list) or not all(type(answer) is int for answer in answers):
            raise UntrodError(
                f"line {number} of {path} holds no choices of a generator",
                "give what `untrod campaigns export` wrote for it",
            )
        traces.append(answers)
    return traces


def entry_of(number: int, line: str) -> Entry | None:
    """What a line says; None for the lines of an export that hold no input. Raises ValueError."""
    if len(line) > _LONGEST:
        raise ValueError(f"longer than {_LONGEST:,} characters")
    try:
        value = parse_json(line)
    except ValueError:
        try:
            value = ast.literal_eval(line.strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            raise ValueError("neither JSON nor a Python literal") from None
    if not isinstance(value, dict) or str(value.get("event")) not in _EVENTS:
        return Entry(number, value=value)
    told = value.get("finding", value)
    trace = told.get("trace") if isinstance(told, dict) else None
    answers = trace.get("answers") if isinstance(trace, dict) else None
    return Entry(number, answers=tuple(answers)) if isinstance(answers, list) else None


def misfits(lines: Iterable[int], tests: Sequence[str]) -> str:
    """One line for a person about the lines that could not be used."""
    shown = ", ".join(map(str, sorted(lines)[:10])) + (", ..." if len(set(lines)) > 10 else "")
    several = "" if len(set(lines)) == 1 else "s"
    whose = tests[0] if len(tests) == 1 else f"any of {len(tests)} tests"
    return f"line{several} {shown} of the corpus could not be turned into arguments of {whose}"


def _parse(path: Path, number: int, line: str) -> Entry | None:
    try:
        return entry_of(number, line)
    except ValueError as error:
        raise UntrodError(
            f"line {number} of {path} is {error}", "a line is an object keyed by argument"
        ) from None


def _says_something(line: str) -> bool:
    text = line.strip()
    return bool(text) and not text.startswith("#")
