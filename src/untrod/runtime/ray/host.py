"""What runs on a node: a local pool of one guarded worker, behind an actor's methods.

`perform`, `close` and the worker they deal with stay in one thread (Ray's concurrency group `work`), for a
worker dies with the thread that started it; `interrupt` comes in through another (`control`).
"""

from __future__ import annotations

import platform
import socket
import sys
import tempfile
from pathlib import Path

from untrod import __version__
from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Json
from untrod.runtime.limits import Limits
from untrod.runtime.messages import Failure, Lost, Reply
from untrod.runtime.pool import Pool
from untrod.runtime.ray.frames import pack, unpack_frame

WORK, CONTROL = "work", "control"
ALL = -1
_POLL = 0.05


def version() -> list[str]:
    """The versions that both sides must share: a learner's state is only good for the code that wrote it."""
    return [f"untrod {__version__}", f"Python {sys.version_info.major}.{sys.version_info.minor}"]


class Host:
    """The operations of `worker`, and `open` again after a death; each with its number, one at a time."""

    def __init__(self) -> None:
        self._pool: Pool | None = None
        self._unwanted = 0  # the number of the operation that is to end early

    def ready(self) -> None:
        """Answers when there is a node for it."""

    def perform(self, number: int, frame: bytes) -> bytes:
        """Returns when the operation is answered, or has killed the worker."""
        header, blob = unpack_frame(frame)
        op, body = header["op"], header["body"]
        try:
            if op == "open":
                message = self._open(body, number)
            else:
                assert self._pool is not None
                self._pool.send(0, op, body, blob)
                message = self._answer(number)
        except UntrodError as error:
            message = Reply(0, op, None, error=_failure(error))
        return pack(message, self._pool.cpu(0) if self._pool is not None else 0.0)

    def interrupt(self, number: int) -> None:
        """End operation `number` early; ALL: whichever runs, and all that come."""
        self._unwanted = number

    def close(self, grace: float) -> None:
        if self._pool is not None:
            self._pool.close(grace)
            self._pool = None

    def _open(self, order: Json, number: int) -> Reply | Lost:
        if self._pool is not None:
            self._pool.restart(0)
            return self._answer(number)
        _check(order)
        pool = Pool(
            order["job"],
            [order["spec"]],
            limits=Limits(**order["limits"]),
            allow=frozenset(order["allow"]),
            project=[Path(path) for path in order["project"]],
            scratch=Path(tempfile.gettempdir()),  # of this node: the store's may be another machine's
        )
        (reply,) = pool.start(lambda: self._unwanted in (number, ALL))
        self._pool = pool
        return reply

    def _answer(self, number: int) -> Reply | Lost:
        assert self._pool is not None
        while True:
            if self._unwanted in (number, ALL):
                self._pool.interrupt(0)
            for message in self._pool.wait(_POLL):
                return message


def _check(order: Json) -> None:
    """Raises UntrodError when this node cannot do what the campaign's own machine could."""
    node = socket.gethostname() or platform.node()
    theirs, ours = order["version"], version()
    if theirs != ours:
        raise UntrodError(
            f"the Ray node {node} has {', '.join(ours)}, and this machine {', '.join(theirs)}",
            "install the same versions on every node",
        )
    for path in order["project"]:
        if not Path(path).is_dir():
            raise UntrodError(
                f"the Ray node {node} has no folder {path}",
                "every node needs the project at the same path: share the folder or copy it",
            )


def _failure(error: UntrodError) -> Failure:
    return Failure(error.message, error.hint, getattr(error, "detail", ""))
