"""What a pool tells its caller."""

from __future__ import annotations

from dataclasses import dataclass

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Json, Outcome


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


class WorkersGone(UntrodError):
    """There are no workers any more, and no way to get others; what was found so far stands."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A worker's answer. `body` is None when there is an `error`."""

    shard: int
    op: str
    body: Json
    blob: bytes = b""
    refusals: tuple[dict[str, Json], ...] = ()  # of `guard.Refusal.to_json`
    error: Failure | None = None


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


def reply_of(shard: int, header: dict[str, Json], blob: bytes) -> Reply:
    """A worker's frame as a reply."""
    error = header.get("error")
    return Reply(
        shard=shard,
        op=header["op"],
        body=header.get("body"),
        blob=blob,
        refusals=tuple(header["refusals"]),
        error=None if error is None else Failure(**error),
    )
