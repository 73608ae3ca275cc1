"""What a run has learned, in words, and as records for other tools.

`explain` names the choices that most rejections have in common:

    sampled_from 'system' in dependency, after 'exclusion': 0 of 41 valid

`Recorder` writes one Hypothesis observability record per test case, the JSON lines that Tyche reads.
"""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import IO, Any

from hypothesis.internal.observability import (
    add_observability_callback,
    remove_observability_callback,
)

from untrod.engines.inputs.backend.names import Names
from untrod.learn.blame import Blame, blame
from untrod.learn.exonerate import Exonerate
from untrod.learn.features import NEAR, PAIR, RECENT, SIBLING, SITE

_WORDS = {SITE: "", NEAR: " inside ", PAIR: " inside ", RECENT: " after ", SIBLING: " beside "}


def explain(learner: Exonerate, names: Names, at_most: int = 10) -> list[str]:
    """One line per convicted choice, the most rejected first."""
    return [_line(entry, names) for entry in blame(learner, at_most)]


def _line(entry: Blame, names: Names) -> str:
    context = ""
    if entry.kind != SITE:
        context = _WORDS[entry.kind] + _shown_context(entry, names)
    where = _part(entry.site, 3)
    where = f" in `{where}`" if where else ""
    return f"`{_shown(entry, names)}`{where}{context}: {entry.valid} of {entry.tried} valid"


def _shown(entry: Blame, names: Names) -> str:
    """`sampled_from = 'system'` where the option's value is known, `int = 3` otherwise."""
    kind, name = _part(entry.site, 0), _part(entry.site, 1)
    values = names.elements.get(name, ())
    if entry.option < len(values) == entry.options:
        return f"{name.partition('#')[0]} = {values[entry.option]}"
    if kind == "bool":
        return f"{name or kind} = {bool(entry.option)}"
    return f"{name or kind} = option {entry.option}"


def _shown_context(entry: Blame, names: Names) -> str:
    """Answers are numbers of options; at the same site they can be shown as what they stand for."""
    values = names.elements.get(_part(entry.site, 1), ())

    def shown(token: Any) -> str:
        if isinstance(token, tuple):
            return "(" + ", ".join(shown(part) for part in token[1:]) + ")"
        if isinstance(token, int) and 0 <= token < len(values) == entry.options:
            return values[token]
        return f"option {token}" if isinstance(token, int) else str(token)

    return " and ".join(shown(token) for token in entry.context)


def _part(site: Any, index: int) -> str:
    return str(site[index]) if isinstance(site, tuple) and len(site) > index else str(site) * (index == 0)


class Recorder:
    """`with Recorder(path): run_tests()` appends every observation to `path`, one JSON object per line."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[str] | None = None

    def __enter__(self) -> Recorder:
        self._file = self._path.open("a", encoding="utf-8")
        add_observability_callback(self._record)
        return self

    def __exit__(self, *exception: object) -> None:
        remove_observability_callback(self._record)
        if self._file is not None:
            self._file.close()

    def _record(self, observation: Any) -> None:
        if self._file is not None:
            body = {field.name: getattr(observation, field.name) for field in fields(observation)}
            body["metadata"] = _plain(body.get("metadata", {}))
            self._file.write(json.dumps(body, default=str, ensure_ascii=False) + "\n")
            self._file.flush()


def _plain(metadata: Any) -> Any:
    return metadata.to_json() if hasattr(metadata, "to_json") else metadata
