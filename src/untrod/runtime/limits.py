"""What a worker may use, and what the target inside it may do."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from untrod.core.catalogue import nearest
from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Json

WRITE = "write"
PROCESSES = "processes"
NETWORK = "network"

PERMISSIONS: dict[str, str] = {
    WRITE: "create, change or delete files outside the worker's scratch folder",
    PROCESSES: "start, signal or limit processes",
    NETWORK: "open network connections, resolve names, use Unix sockets",
}
"""What `--allow NAME` may name, and what each permission lets the target do."""

CHILDREN = "children"
"""Half of `processes`, for what drives a browser: start some, and signal those alone."""
_PORT = re.compile(NETWORK + r":(\d{1,5})", re.ASCII)


UNLIMITED_MB = 1 << 26
"""A browser and torch reserve address space by the terabyte, and use little of it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """`idle_wall` bounds what is not an episode: importing the target, learning, taking a snapshot."""

    memory_mb: int = 2048
    episode_wall: float = 10.0
    episode_cpu: float = 10.0
    restarts: int = 20
    idle_wall: float = 120.0

    def to_json(self) -> dict[str, Json]:
        return asdict(self)


def patience(seconds: float | None) -> float:
    """`idle_wall` for a campaign of so many seconds: an import that takes longer than all of it is not waited
    for. Half a minute it has in any case, and never more than two."""
    return 120.0 if seconds is None else min(120.0, max(30.0, seconds))


def permissions(names: Iterable[str]) -> frozenset[str]:
    """The values of `--allow`, checked. Raises UntrodError for a name that is not a permission."""
    allowed = frozenset(names)
    for name in sorted(allowed - PERMISSIONS.keys()):
        if name == CHILDREN or port_of(name) is not None:
            continue
        raise UntrodError(
            f"there is no permission {name!r}", f"--allow: {nearest(name, sorted(PERMISSIONS))}"
        )
    return allowed


def to_port(number: int) -> str:
    """The part of `network` that lets connect to this TCP port, and nothing else."""
    return f"{NETWORK}:{number}"


def port_of(permission: str) -> int | None:
    """The port that a part of `network` names."""
    found = _PORT.fullmatch(permission)
    return int(found[1]) if found and int(found[1]) < 2**16 else None


def ports_of(allow: Iterable[str]) -> tuple[int, ...]:
    return tuple(sorted({port for each in allow if (port := port_of(each)) is not None}))
