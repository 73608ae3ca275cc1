"""What the guard has refused: raised at the place of the attempt, and remembered until somebody asks."""

from __future__ import annotations

from builtins import int, len, str  # noqa: UP029 - this module's own, whatever becomes of builtins
from dataclasses import dataclass

from untrod.core.vocabulary import Json

LONGEST_NAME = 200
_MOST = 100  # remembered at a time


class Refused(PermissionError):
    """The guard refused what the target attempted. The message names it and the flag that would allow it."""


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
    refused = _memory.refused
    if key in refused:
        refused[key] += 1
    elif len(refused) < _MOST:
        refused[key] = 1
    raise Refused(Refusal(permission, attempt, event).message)


def drain() -> list[Refusal]:
    """What was refused since the last call."""
    refusals = [Refusal(*key, times) for key, times in _memory.refused.items()]
    _memory.refused.clear()
    return refusals


def refused_so_far() -> int:
    """How often something was refused in this process: whoever compares two of these numbers knows whether
    it happened in between, also when the target swallowed it."""
    return _memory.total


class _Memory:
    def __init__(self) -> None:
        self.refused: dict[tuple[str, str, str], int] = {}
        self.total = 0


_memory = _Memory()
