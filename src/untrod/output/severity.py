"""How bad a finding is, why it is believed, and when two have one cause: for a hunt, the page, the dashboard.

An engine that knows better says so in a finding's `detail`: `level`, one of LEVELS, and `evidence`, a line.
For all others it follows from how the run ended and from the input. `critical` is data loss, a crash of the
interpreter, or a hang on a small, plain input. No time or no memory for one large number tells nothing.

Details may come from a damaged store or another version: anything may stand there.
"""

from __future__ import annotations

import re
import sysconfig
from collections.abc import Mapping

from untrod.core.text import one_line
from untrod.core.vocabulary import Json

LEVELS = ("critical", "high", "medium", "low", "note")
NOTE = "note"
SMALL, LONGEST = 1_000, 300
"""A number and a text of an input, up to which it is small."""
_BY_KIND = {
    "crashed": "critical",
    "out-of-memory": "high",
    "timed-out": "critical",
    "exited": "high",
    "failed": "high",
    "counterexample": "high",
    "growth": "medium",
    "refused": "low",
    "witness": NOTE,
}
_SCARCE = {"timed-out", "out-of-memory"}
_EVENT = "event"
_NUMBER = re.compile(r"\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?")
_DIGITS = re.compile(r"\d+")
_ODD = re.compile(r"\b(?:inf|nan)\b")
_FRAME = re.compile(r'^  File "([^"\n]+)", line \d+(?:, in (\S+))?', re.MULTILINE)
_LIBRARY = tuple(sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib"))


def level_of(kind: str, detail: Mapping[str, Json]) -> str:
    """One of LEVELS. What shows only now and then is one step lower: it is harder to work with."""
    level = detail.get("level")
    found = level if isinstance(level, str) and level in LEVELS else _level(kind, detail)
    return LEVELS[min(len(LEVELS) - 1, LEVELS.index(found) + is_flaky(detail))]


def evidence_of(kind: str, detail: Mapping[str, Json]) -> str:
    """Why it is believed, in a line; why it is not, for a note."""
    told = detail.get("evidence")
    return one_line(told) if isinstance(told, str) and told else _evidence(kind, detail)


def input_of(detail: Mapping[str, Json]) -> str:
    """The input, or the steps."""
    value = detail.get("value")
    text = value.get("text") if isinstance(value, dict) else ""
    return text if isinstance(text, str) else ""


def is_flaky(detail: Mapping[str, Json]) -> bool:
    held, of = held_of(detail)
    return held < of


def held_of(detail: Mapping[str, Json]) -> tuple[int, int]:
    """In how many replays of how many it has shown."""
    told = detail.get("held")
    if isinstance(told, list | tuple) and len(told) == 2 and all(type(each) is int for each in told):
        return told[0], told[1]
    return 1, 1


def cause_of(key: str, kind: str, detail: Mapping[str, Json], target: str = "") -> str:
    """The same for findings of one cause: the same exception at the same place, whichever target led there,
    or the same event of an application, whoever has seen it."""
    if event := _event(key, detail):
        return f"{target} {event}"
    place, error = detail.get("place"), _exception(detail)
    if not error or not isinstance(place, str) or ":" not in place:
        return f"{target} {key}"
    if kind in _SCARCE or error == "RecursionError":
        file, _, line = place.rpartition(":")
        return f"{kind} {error} {file} {_function(detail) or line}"  # the line is where the clock struck
    return f"{kind} {error} {place}"


def rank_of(kind: str, detail: Mapping[str, Json]) -> tuple[int, int, int]:
    """The best to read first: grave, certain, and by a short input."""
    text = input_of(detail)
    return LEVELS.index(level_of(kind, detail)), is_flaky(detail), len(text) or LONGEST


def is_small(detail: Mapping[str, Json]) -> bool:
    """Is the input known, short, and without large or odd numbers?"""
    text = input_of(detail)
    if not text or len(text) > LONGEST or _ODD.search(text):
        return False
    return all(abs(float(found.replace("_", ""))) <= SMALL for found in _NUMBER.findall(text))


def _level(kind: str, detail: Mapping[str, Json]) -> str:
    level, error = _BY_KIND.get(kind, "medium"), _exception(detail)
    if kind in _SCARCE or error == "RecursionError":
        if not is_small(detail):
            return NOTE
        return "high" if detail.get("test") and level == "critical" else level
    if kind == "exited" and error == "SystemExit":
        return "low"
    return NOTE if kind == "failed" and _is_elsewhere(detail) else level


def _evidence(kind: str, detail: Mapping[str, Json]) -> str:
    held, of = held_of(detail)
    often = f", in {held} of {of} replays" if of > 1 else ""
    if kind in _SCARCE or _exception(detail) == "RecursionError":
        return f"the input is small{often}" if is_small(detail) else "the input is large, or not known"
    if kind == "crashed":
        return f"the interpreter died{often}"
    if kind == "exited":
        return f"the process was asked to end{often}"
    if kind == "growth":
        return "measured: the cost grows by a higher class than on average inputs"
    if kind == "witness":
        return "it was asked for"
    if kind == "refused":
        return "it tried what was not allowed"
    if kind == "failed" and _is_elsewhere(detail):
        return "no line of the project is in its traceback"
    if detail.get("session"):
        return f"the same steps show it again{often}"
    if detail.get("test"):
        return f"a property that the project's own test states{often}"
    return f"an exception that the code does not catch{often}"


def _exception(detail: Mapping[str, Json]) -> str:
    told = detail.get("exception")
    name = told.get("name") if isinstance(told, dict) else ""
    return name if isinstance(name, str) else ""


def _event(key: str, detail: Mapping[str, Json]) -> str:
    """The kind of an event and what it says, without the numbers of that day."""
    if isinstance(detail.get(_EVENT), str):
        return key  # made of just that
    reasons, steps = detail.get("reasons"), detail.get("steps")
    if not isinstance(reasons, list) or not isinstance(steps, list):
        return ""
    wanted = [
        row[3] for row in reasons if isinstance(row, list) and len(row) == 5 and row[1] == _EVENT and row[4]
    ]
    for step in reversed(steps):
        events = step.get("events") if isinstance(step, dict) else None
        for each in events if isinstance(events, list) else ():
            if isinstance(each, list) and len(each) == 2 and each[0] in wanted:
                return f"{each[0]} {_DIGITS.sub('0', str(each[1]))}"
    return ""


def _function(detail: Mapping[str, Json]) -> str:
    """The innermost one of the project."""
    frames = _frames(detail)
    own = [function for file, function in frames if not _is_library(file)]
    return own[-1] if own else ""


def _is_elsewhere(detail: Mapping[str, Json]) -> bool:
    """Are all frames of the standard library, or of packages that are installed?"""
    frames = _frames(detail)
    return bool(frames) and all(_is_library(file) for file, _ in frames)


def _frames(detail: Mapping[str, Json]) -> list[tuple[str, str]]:
    text = detail.get("traceback")
    return _FRAME.findall(text) if isinstance(text, str) else []


def _is_library(file: str) -> bool:
    return file.startswith(("<", *_LIBRARY)) or "site-packages" in file.replace("\\", "/").split("/")
