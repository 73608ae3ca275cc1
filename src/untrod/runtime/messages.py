"""What a pool tells its caller, and how a worker's frames become that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from untrod.core.errors import Interrupted, UntrodError
from untrod.core.shapes import (
    Malformed,
    listed,
    nothing,
    one_of,
    record,
    text,
    texts,
    whole,
)
from untrod.core.vocabulary import Finding, Json, Outcome, Trace
from untrod.runtime.limits import PERMISSIONS
from untrod.runtime.refusals import Refusal


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an operation failed inside a worker that lives on."""

    message: str
    hint: str = ""
    traceback: str = ""  # empty for an UntrodError: a mistake that a person can mend

    def exception(self) -> UntrodError:
        if not self.traceback:
            return UntrodError(self.message, self.hint)
        return WorkerFailed(self.message, "--debug shows the worker's traceback", self.traceback)


class WorkerFailed(UntrodError):
    """`detail` is the worker's traceback or log, for `--debug`."""

    def __init__(self, message: str, hint: str = "", detail: str = "") -> None:
        super().__init__(message, hint)
        self.detail = detail


class WorkerDied(WorkerFailed):
    """The worker was lost while it opened the target."""


class WorkersGone(UntrodError):
    """There are no workers any more, and no way to get others; what was found so far stands."""


class StoppedWhileOpening(Interrupted):
    """The campaign was stopped while its workers were importing the target; no worker is left."""

    def __init__(self) -> None:
        super().__init__("interrupted while the target was being imported", "nothing was run: start it again")


@dataclass(frozen=True, slots=True)
class Touched:
    """The side effects of a run: files in the working folder and in the one for temporary files, and what
    outlives the run, in words."""

    here: tuple[str, ...] = ()
    temporary: tuple[str, ...] = ()
    outlives: tuple[str, ...] = ()


class OpenBody(TypedDict):
    """What the operation `open` is sent with."""

    job: str
    spec: Json
    limits: dict[str, Json]
    allow: list[str]
    project: list[str]
    scratch: str
    stage: str


@dataclass(frozen=True, slots=True)
class Reply:
    """A worker's answer. `body` is None when there is an `error`."""

    shard: int
    op: str
    body: Json
    blob: bytes = b""
    refusals: tuple[Refusal, ...] = ()  # since the last reply
    error: Failure | None = None
    touched: Touched | None = None  # by a replay


@dataclass(frozen=True, slots=True)
class Lost:
    """A worker is gone, and with it the operation `op` it was busy with ("" when it was idle).

    `episode` is the one that was running, None if none was; `answers` its trace, None if it was not
    complete; `truncated` says that the trace was too long to be kept whole.
    """

    shard: int
    outcome: Outcome
    cause: str
    episode: int | None
    answers: tuple[int, ...] | None
    log: str
    op: str = ""
    truncated: bool = False


def death_as_finding(lost: Lost) -> Finding:
    answers = lost.answers or ()
    stage = "" if lost.answers is not None else " while the input was being made"
    return Finding(
        key=f"{lost.outcome.value}:{lost.cause}",
        kind=lost.outcome.value,
        title=f"the worker died{stage}: {lost.cause}",
        trace=Trace(answers),
        detail={"log": lost.log, "complete": lost.answers is not None and not lost.truncated},
    )


NO_ANSWER = "it answered with something that is no answer"
"""How the cause begins when a worker is ended because its answer is malformed."""

_NOTICES = texts(10_000, 1_000)
_REFUSALS = listed(
    record(
        {
            "permission": one_of(PERMISSIONS),
            "attempt": text(10_000),
            "event": text(1_000),
            "times": whole(1),
        }
    ),
    most=1_000,
)
_ERROR = record({"message": text()}, {"hint": text(), "traceback": text()})
_NAMES = texts(1_000, 10)
_TOUCHED = record({"here": _NAMES, "temporary": _NAMES, "outlives": _NAMES})
_HEADER = record({"op": text(100), "refusals": _REFUSALS}, {"error": _ERROR, "touched": _TOUCHED})
_OPENED = record({"notices": _NOTICES})


def reply_of(shard: int, op: str, header: dict[str, Json], blob: bytes) -> Reply:
    """A frame as the reply to the operation `op`, which is under way ("": none is). Raises Malformed.

    The frame comes from a process that runs hostile code. What `run`, `restore` and `replay` answer is for
    the engine to check (`reports`).
    """
    if not op:
        raise Malformed("nothing was asked")
    _HEADER(header, "reply")
    if header["op"] != op:
        raise Malformed("it is the answer to another operation")
    if blob and op != "snapshot":
        raise Malformed("it has a blob")
    error, body = header.get("error"), header.get("body")
    if error is None and op == "open":
        _OPENED(body, "reply.body")
    elif error is not None or op in ("skip", "snapshot"):
        nothing(body, "reply.body")
    return Reply(
        shard=shard,
        op=op,
        body=body,
        blob=blob,
        refusals=tuple(map(_refusal_of, header["refusals"])),
        error=None if error is None else _failure_of(error),
        touched=_touched_of(header.get("touched")),
    )


def _refusal_of(body: Json) -> Refusal:
    return Refusal(body["permission"], body["attempt"], body["event"], body["times"])


def _touched_of(body: Json) -> Touched | None:
    if body is None:
        return None
    return Touched(tuple(body["here"]), tuple(body["temporary"]), tuple(body["outlives"]))


def _failure_of(error: Json) -> Failure:
    return Failure(error["message"], error.get("hint", ""), error.get("traceback", ""))
