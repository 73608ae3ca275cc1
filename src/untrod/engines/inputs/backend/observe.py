"""Hypothesis's observations of a run, as the JSON lines that Tyche and others read.

Hypothesis tells its observers about every test case: what was drawn, how it ended, and why. `Observer`
collects that inside a worker, adds what only the learner knows (the choice that it suspects), and bounds it.
`ObservationFile` writes it, outside the workers, in whole lines.

Hypothesis would also collect coverage for its observers. That is switched off: it needs the one trace hook
that Python has, which the learner watches cold starts with, and being observed must not change a run.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from untrod.core.errors import UntrodError
from untrod.core.reading import is_regular
from untrod.core.vocabulary import Json

MOST_BYTES = 256 * 2**20
"""A file of observations is not written beyond this."""
_BATCH_BYTES = 8 * 2**20
_TEXT, _ARGUMENTS = 10_000, 30_000
_BEGINNING = '{"type": "'


class Observer:
    """`with observer.watching(): run_tests()` fills `lines`."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._room = _BATCH_BYTES
        self._left_out: dict[str, Json] | None = None

    @contextmanager
    def watching(self) -> Iterator[None]:
        from hypothesis.internal import observability

        with_coverage = observability.OBSERVABILITY_COLLECT_COVERAGE
        observability.OBSERVABILITY_COLLECT_COVERAGE = False
        try:
            with observability.with_observability_callback(self._record):
                yield
        finally:
            observability.OBSERVABILITY_COLLECT_COVERAGE = with_coverage
            if self._left_out is not None:
                self.lines.append(json.dumps(self._left_out))

    def drop_last(self) -> None:
        """The last test case was begun and not made."""
        cases = [place for place, line in enumerate(self.lines) if json.loads(line)["type"] == "test_case"]
        if cases:
            del self.lines[cases[-1]]

    def _record(self, observation: Any) -> None:
        line = json.dumps(record_of(observation), allow_nan=False)
        self._room -= len(line)
        if self._room >= 0:
            self.lines.append(line)
        elif self._left_out is None:
            self._left_out = {
                "type": "alert",
                "property": observation.property,
                "run_start": observation.run_start,
                "title": "untrod: observations left out",
                "content": f"more than {_BATCH_BYTES >> 20} MB were observed at once",
            }


def record_of(observation: Any) -> dict[str, Json]:
    """The observation as Hypothesis's schema has it, bounded, and with the suspect in the reason."""
    from hypothesis.strategies._internal.utils import to_jsonable

    try:
        body: Any = _finite(to_jsonable(observation, avoid_realization=False))
    except Exception as error:  # from a `to_json` or `__repr__` of the user's
        body = _bare(observation, f"could not be told as JSON: {type(error).__name__}")
    if body["type"] != "test_case":
        return {"type": body.pop("type"), **body}
    body["representation"] = _cut(body["representation"])
    # Hypothesis takes off the time of a garbage collection that began when its own clock had stopped.
    body["timing"] = {name: max(0.0, seconds) for name, seconds in body["timing"].items()}
    if len(json.dumps(body["arguments"])) > _ARGUMENTS:
        body["arguments"] = {name: _cut(json.dumps(value)) for name, value in body["arguments"].items()}
    if body["metadata"].get("traceback"):
        body["metadata"]["traceback"] = _cut(body["metadata"]["traceback"])
    suspect = (body["metadata"].get("backend") or {}).get("suspect")
    if suspect and body["status"] == "gave_up":
        body["status_reason"] = "; ".join(filter(None, [body["status_reason"], f"suspected: {suspect}"]))
    return {"type": body.pop("type"), **body}


class ObservationFile:
    """Appends records to `path`. A record that a killed process left torn at the end is cut off."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._size = -1  # not opened yet
        self.full = False

    def write(self, lines: list[str]) -> bool:
        """All or nothing. False when the file would grow too large, now and from then on."""
        if self._size < 0:
            self._size = self.check()
        blob = "".join(line + "\n" for line in lines).encode()
        self.full = self.full or self._size + len(blob) > MOST_BYTES
        if self.full:
            return False
        with self._path.open("ab", buffering=0) as file:
            file.write(blob)  # one call, so that a reader meanwhile sees whole lines
        self._size += len(blob)
        return True

    def check(self) -> int:
        """The size of what is there. Raises UntrodError for other files, and for those it cannot write."""
        if self._path.exists() and not is_regular(self._path):
            raise UntrodError(f"{self._path} is no ordinary file", "name another file")
        try:
            with self._path.open("ab+") as file:
                file.seek(0)
                beginning = file.read(len(_BEGINNING))
                if beginning and not beginning.startswith(_BEGINNING.encode()):
                    raise UntrodError(f"{self._path} exists and holds no observations", "name another file")
                size = file.seek(0, os.SEEK_END)
                whole = _end_of_last_line(file, size)
                if whole < size:
                    file.truncate(whole)
                return whole
        except OSError as error:
            raise UntrodError(
                f"{self._path} cannot be written: {error.strerror}", "name another file"
            ) from error


def _end_of_last_line(file: Any, size: int) -> int:
    at = size
    while at > 0:
        start = max(0, at - 65536)
        file.seek(start)
        found = file.read(at - start).rfind(b"\n")
        if found >= 0:
            return int(start + found + 1)
        at = start
    return 0


def _bare(observation: Any, why: str) -> dict[str, Any]:
    kept = {
        name: getattr(observation, name)
        for name in ("type", "property", "run_start", "status", "representation", "how_generated")
    }
    return {
        **kept,
        "status_reason": f"{observation.status_reason} ({why})",
        "arguments": {},
        "features": {},
        "coverage": None,
        "timing": {},
        "metadata": {},
    }


def _finite(value: Any) -> Any:
    """JSON knows no NaN and no infinity."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {str(key): _finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return value


def _cut(text: str) -> str:
    return text if len(text) <= _TEXT else f"{text[:_TEXT]}... ({len(text)} characters)"
