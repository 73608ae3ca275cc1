"""How long a campaign may take: in episodes, in wall time, in CPU time, or whichever ends first."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass

from untrod.core.errors import UntrodError

_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_PART = re.compile(
    r"(?P<number>\d+(?:_\d+)*(?:\.\d+)?)\s*(?P<unit>[a-z]*)(?P<cpu>\s*cpu)?", re.IGNORECASE | re.ASCII
)
MOST_EPISODES = 10**15
MOST_SECONDS = 10**9
"""Thirty years. Whoever wants no end can have it by Ctrl-C: beyond this, clocks and counters overflow."""
_HINT = "write a time like 60s, 5m, 1h or '30s cpu', a number of episodes like 10000, or both: 60s,10000"


@dataclass(frozen=True, slots=True)
class Budget:
    """None means no limit of that kind; a budget without any limit runs until it is interrupted."""

    episodes: int | None = None
    wall: float | None = None
    cpu: float | None = None

    @classmethod
    def parse(cls, text: str) -> Budget:
        """`60s`, `5m`, `10000`, `10000 episodes`, `30s cpu`, or several of them joined by commas."""
        limits: dict[str, float] = {}
        for part in text.split(","):
            kind, amount = _parse_part(part.strip(), text)
            if kind in limits:
                raise UntrodError(f"budget {text!r} limits {kind} twice", _HINT)
            limits[kind] = amount
        episodes = limits.get("episodes")
        return cls(
            episodes=None if episodes is None else int(episodes),
            wall=limits.get("wall"),
            cpu=limits.get("cpu"),
        )

    @classmethod
    def from_json(cls, body: dict[str, float | int | None]) -> Budget:
        episodes = body.get("episodes")
        return cls(None if episodes is None else int(episodes), body.get("wall"), body.get("cpu"))

    @classmethod
    def of(cls, given: str | Budget) -> Budget:
        return given if isinstance(given, Budget) else cls.parse(given)

    @property
    def seconds(self) -> float | None:
        """The shorter of its times; None when it has none."""
        return min((limit for limit in (self.wall, self.cpu) if limit is not None), default=None)

    def __str__(self) -> str:
        parts = []
        if self.wall is not None:
            parts.append(f"{self.wall:g}s")
        if self.cpu is not None:
            parts.append(f"{self.cpu:g}s cpu")
        if self.episodes is not None:
            parts.append(f"{self.episodes} episodes")
        return ",".join(parts) or "unlimited"

    def to_json(self) -> dict[str, float | int | None]:
        return {"episodes": self.episodes, "wall": self.wall, "cpu": self.cpu}


def parse_seconds(text: str) -> float:
    """`3`, `3s`, `500ms` or `2m`. Raises ValueError for anything else."""
    match = _PART.fullmatch(text.strip())
    if match is None or match["cpu"] or (match["unit"] and match["unit"].lower() not in _SECONDS):
        raise ValueError(f"{text!r} is no time: write 3, 3s, 500ms or 2m")
    return float(match["number"].replace("_", "")) * _SECONDS[match["unit"].lower() or "s"]


def _parse_part(part: str, whole: str) -> tuple[str, float]:
    match = _PART.fullmatch(part)
    if match is None:
        raise UntrodError(f"cannot read the budget {whole!r}", _HINT)
    number = float(match["number"].replace("_", ""))
    unit = match["unit"].lower()
    if number * _SECONDS.get(unit, 1.0) > (MOST_SECONDS if unit in _SECONDS else MOST_EPISODES):
        raise UntrodError(
            f"the budget {whole!r} is too large: at most {MOST_SECONDS:,} s or {MOST_EPISODES:,} episodes",
            _HINT,
        )
    if number <= 0:
        raise UntrodError(f"the budget {whole!r} leaves nothing to run", _HINT)
    if unit in ("", "episodes", "episode", "ep") and not match["cpu"]:
        if number != int(number):
            raise UntrodError(f"the budget {whole!r} asks for a fraction of an episode", _HINT)
        return "episodes", number
    if unit not in _SECONDS:
        raise UntrodError(f"cannot read the budget {whole!r}: no unit {unit!r}", _HINT)
    return ("cpu" if match["cpu"] else "wall"), number * _SECONDS[unit]


class Meter:
    """Counts what a campaign spends against its budget.

    A resumed campaign starts with what it had already spent, so a budget is for the campaign, not for
    the process.
    """

    def __init__(
        self,
        budget: Budget,
        *,
        spent_wall: float = 0.0,
        spent_cpu: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.budget = budget
        self.episodes = 0
        self.cpu = spent_cpu
        self._clock = clock
        self._spent_wall = spent_wall
        self.begin()

    def begin(self) -> None:
        """The clock starts now, not when this was made."""
        self._started = self._clock() - self._spent_wall

    @property
    def wall(self) -> float:
        return self._clock() - self._started

    def exhausted(self) -> str:
        """Which limit is reached (`episodes`, `wall time`, `CPU time`), or an empty string."""
        if self.budget.episodes is not None and self.episodes >= self.budget.episodes:
            return "episodes"
        if self.budget.wall is not None and self.wall >= self.budget.wall:
            return "wall time"
        if self.budget.cpu is not None and self.cpu >= self.budget.cpu:
            return "CPU time"
        return ""

    def fraction(self) -> float:
        """The share of the budget that is spent, between 0 and 1; 0 when nothing is limited."""
        shares = [0.0]
        if self.budget.episodes:
            shares.append(self.episodes / self.budget.episodes)
        if self.budget.wall:
            shares.append(self.wall / self.budget.wall)
        if self.budget.cpu:
            shares.append(self.cpu / self.budget.cpu)
        return min(1.0, max(shares))

    def seconds_left(self) -> float | None:
        """Wall seconds until the wall budget ends; None when wall time is not limited."""
        return None if self.budget.wall is None else max(0.0, self.budget.wall - self.wall)
