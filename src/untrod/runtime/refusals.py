"""What the guard has refused: raised at the place of the attempt, and remembered until somebody asks.

The code under test sees the exception that the operating system would have raised for such a call, so that
the handlers that it has for these are run: `PermissionError` for files and signals, `socket.gaierror` for a
name that nobody knows, and so on (`_EXCEPTIONS`). Which one is decided by the audit event alone.
"""

from __future__ import annotations

import errno
from _socket import EAI_NONAME, gaierror, herror
from builtins import OSError, dict, int, len, min, str, tuple, type  # noqa: UP029 - this module's own, whatever becomes of builtins
from dataclasses import dataclass

from untrod.core.vocabulary import Json

LONGEST_NAME = 200
_MOST = 100  # remembered at a time
_MOST_EVENTS = 10


class Refused(OSError):
    """The guard refused what the target attempted. The message names it and the flag that would allow it.

    What is raised is of a class of the operating system's, too.
    """

    def __str__(self) -> str:
        return self.args[-1] if self.args else ""


def _also(kind: type[OSError]) -> type[Refused]:
    """`Refused` that is a `kind`. They share the name: who reads it wants to know no more."""
    return type("Refused", (Refused, kind), {"__module__": __name__})


_PERMISSION = (_also(PermissionError), errno.EACCES)
_NO_SUCH_PROGRAM = (_also(FileNotFoundError), errno.ENOENT)
_NO_MORE_PROCESSES = (_also(BlockingIOError), errno.EAGAIN)
_NOBODY_LISTENS = (_also(ConnectionRefusedError), errno.ECONNREFUSED)
_NO_SUCH_NAME = (_also(gaierror), EAI_NONAME)
_EXCEPTIONS: dict[str, tuple[type[Refused], int]] = {
    "os.kill": (_PERMISSION[0], errno.EPERM),
    "os.killpg": (_PERMISSION[0], errno.EPERM),
    "untrod.signal": (_PERMISSION[0], errno.EPERM),
    "os.fork": _NO_MORE_PROCESSES,
    "os.forkpty": _NO_MORE_PROCESSES,
    "untrod.spawn": _NO_MORE_PROCESSES,
    "os.exec": _NO_SUCH_PROGRAM,
    "os.posix_spawn": _NO_SUCH_PROGRAM,
    "os.spawn": _NO_SUCH_PROGRAM,
    "subprocess.Popen": _NO_SUCH_PROGRAM,
    "socket.connect": _NOBODY_LISTENS,
    "untrod.connect": _NOBODY_LISTENS,
    "socket.sendto": (_PERMISSION[0], errno.EPERM),  # what a firewall says
    "socket.sendmsg": (_PERMISSION[0], errno.EPERM),
    "untrod.sendto": (_PERMISSION[0], errno.EPERM),
    "untrod.sendmsg": (_PERMISSION[0], errno.EPERM),
    "socket.getaddrinfo": _NO_SUCH_NAME,
    "socket.gethostbyname": _NO_SUCH_NAME,
    "socket.getnameinfo": _NO_SUCH_NAME,
    "socket.gethostbyaddr": (_also(herror), 1),  # HOST_NOT_FOUND
}
"""By audit event, with its number; for all others it is `_PERMISSION`."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """One thing the target attempted, however often it did."""

    permission: str  # what --allow would have to name
    attempt: str  # "write /etc/x"
    event: str  # the audit event, such as "open"
    times: int = 1

    @property
    def message(self) -> str:
        return (
            f"untrod's guard refused to {self.attempt} ({self.event}); "
            f"allow it with --allow {self.permission}"
        )

    def to_json(self) -> dict[str, Json]:
        return {
            "permission": self.permission,
            "attempt": self.attempt,
            "event": self.event,
            "times": self.times,
        }


def refuse(permission: str, attempt: str, event: str) -> None:
    """Raises Refused."""
    if len(attempt) > LONGEST_NAME:
        attempt = attempt[:LONGEST_NAME] + "..."
    key = (permission, attempt, event)
    _memory.total += 1
    _memory.events = [*_memory.events[1 - _MOST_EVENTS :], event]
    refused = _memory.refused
    if key in refused:
        refused[key] += 1
    elif len(refused) < _MOST:
        refused[key] = 1
    kind, number = _EXCEPTIONS.get(event, _PERMISSION)
    raise kind(number, Refusal(permission, attempt, event).message)


def drain() -> list[Refusal]:
    """What was refused since the last call."""
    refusals = [Refusal(*key, times) for key, times in _memory.refused.items()]
    _memory.refused.clear()
    return refusals


def refused_since(number: int) -> tuple[str, ...]:
    """The audit events of what was refused since `refused_so_far` was `number`, each once: the latest few."""
    latest = _memory.events[-min(len(_memory.events), _memory.total - number) :]
    return tuple(dict.fromkeys(latest)) if _memory.total > number else ()


def refused_so_far() -> int:
    """How often something was refused in this process: whoever compares two of these numbers knows whether
    it happened in between, also when the target swallowed it."""
    return _memory.total


class _Memory:
    def __init__(self) -> None:
        self.refused: dict[tuple[str, str, str], int] = {}
        self.total = 0
        self.events: list[str] = []  # the latest few


_memory = _Memory()
