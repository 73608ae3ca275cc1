"""All processes that carry a mark in their environment, however they were started, and what they hold."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Census:
    """Memory in MB. `first` is the process that was asked for, the others are of its making."""

    processes: int
    memory: float
    of_first: float
    descriptors_of_first: int
    sockets: int


def marked(mark: str) -> list[int]:
    """The living processes with `mark` (NAME=value) in their environment."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if mark.encode() in Path(f"/proc/{name}/environ").read_bytes().split(b"\0"):
                found.append(int(name))
        except OSError:
            continue
    return found


def take(mark: str, first: int) -> Census:
    living = marked(mark)
    sizes = {pid: _resident(pid) for pid in living}
    links = {pid: _links(pid) for pid in living}
    return Census(
        processes=len(living),
        memory=sum(sizes.values()),
        of_first=sizes.get(first, 0.0),
        descriptors_of_first=len(links.get(first, [])),
        sockets=sum(link.startswith("socket:") for own in links.values() for link in own),
    )


def _resident(pid: int) -> float:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE / 2**20
    except (OSError, IndexError):
        return 0.0


def _links(pid: int) -> list[str]:
    found = []
    try:
        for name in os.listdir(f"/proc/{pid}/fd"):
            found.append(os.readlink(f"/proc/{pid}/fd/{name}"))
    except OSError:
        pass
    return found
