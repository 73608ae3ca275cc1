"""The nouns: what is asked, what was answered, how it ended, and what deserves a person's attention."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias

Json: TypeAlias = Any
"""Anything `json.dumps` takes. (A recursive alias would be more precise and makes every caller cast.)"""

Site: TypeAlias = Hashable
"""Names the place that asks: stable within a process, compared by equality only."""

Answer: TypeAlias = int | float | str | bool | None


class Outcome(StrEnum):
    """How an episode ended, in a word that is also its spelling in JSON."""

    VALID = "valid"
    INVALID = "invalid"
    FAILED = "failed"  # the property or an assertion does not hold, or an unexpected exception
    TIMED_OUT = "timed-out"
    OUT_OF_MEMORY = "out-of-memory"
    EXITED = "exited"  # the target tried to end the process: sys.exit, os._exit
    CRASHED = "crashed"  # the process died of a signal
    REFUSED = "refused"  # the guard refused what the target attempted

    @property
    def is_finding(self) -> bool:
        return self not in (Outcome.VALID, Outcome.INVALID)


@dataclass(slots=True)
class Frame:
    """One nesting level of the target at a choice: what it has answered so far, and where it was entered."""

    entered_from: Site
    answers: list[Any] = field(default_factory=list)
    memo: Any = None  # for a policy: what it derived from the levels around this one, which do not change


@dataclass(slots=True)
class Context:
    """Everything answered so far in the running episode.

    `answers` holds the chosen values in order; `frames` arranges them by nesting, outermost first;
    `given` is what the target itself said the choice depends on, or None.
    """

    answers: list[Any] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    given: Sequence[Hashable] | None = None


@dataclass(slots=True)
class Choice:
    """A point where the target asks: at `site`, after `context`, for one of `options` numbered options.

    Choices are asked millions of times, so one object is *reused* for a whole campaign: a policy reads it
    and must not keep it. `weights` is the target's own preference among the options, None meaning uniform.
    `open` counts the last options that stand for endlessly many values each ("any other integer").
    """

    context: Context
    site: Site = None
    options: int = 0
    weights: Sequence[float] | None = None
    open: int = 0


@dataclass(frozen=True, slots=True)
class Trace:
    """The ordered answers of one episode: the unit of replay."""

    answers: tuple[Answer, ...]

    def dumps(self) -> str:
        return json.dumps(self.answers, separators=(",", ":"))

    @classmethod
    def loads(cls, text: str) -> Trace:
        """Raises ValueError when `text` is not a list of plain answers."""
        answers = json.loads(text)
        if not isinstance(answers, list) or not all(
            isinstance(answer, int | float | str | bool | None) for answer in answers
        ):
            raise ValueError("a trace is a JSON list of plain values")
        return cls(tuple(answers))


@dataclass(slots=True)
class Episode:
    """One run of the target. The target fills in the first half, the judge the second."""

    number: int
    answers: list[int]
    value: Any = None
    error: BaseException | None = None
    outcome: Outcome = Outcome.VALID
    new: bool = False  # valid, and of a characteristic never seen before
    key: Hashable = None  # the characteristic itself
    progress: int = 0  # rejected, but it reached this many things that no episode had reached before
    place: Hashable = None  # rejected, and watched: the line that rejected it
    lines: frozenset[Hashable] = frozenset()  # and all lines of the check that were run


@dataclass(frozen=True, slots=True)
class Finding:
    """Something worth a person's attention. `key` says when two findings are the same one."""

    key: str
    kind: str  # an Outcome, or an engine's own word
    title: str
    trace: Trace
    detail: dict[str, Json] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """Short, stable, typeable: what `untrod replay` takes."""
        return "f" + digest(self.key)[:8]


def digest(text: str | bytes) -> str:
    """A short stable name for a text: 24 hex digits, the same in every process."""
    raw = text.encode("utf-8", "backslashreplace") if isinstance(text, str) else text
    return hashlib.blake2b(raw, digest_size=12).hexdigest()
