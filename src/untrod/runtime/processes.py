"""Processes other than ours: how much CPU they used, and how to be rid of all that one of them started."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

MARKER = "UNTROD_WORKER"
"""The environment variable that names the worker; whatever the worker starts inherits it."""
STAGE = "UNTROD_STAGE"
"""The one that names a worker's second folder, where there is one: see `scratch.stage`."""
TREE = "UNTROD_TREE"
"""The one that names the processes of untrod that a process descends from, outermost first: see `launch`."""
WARDEN = "UNTROD_WARDEN"
"""Wardens carry it: each ends by itself, once it has cleared up after the process that it looks after."""

HAS_CPU_CLOCKS = hasattr(time, "clock_gettime") and os.path.isdir("/proc/self")

_PASSES = 20  # a fork bomb outruns a single pass over /proc


def cpu_clock(pid: int) -> float:
    """CPU seconds of a living process; 0.0 where this system does not tell."""
    if not HAS_CPU_CLOCKS:
        return 0.0
    try:
        return time.clock_gettime((~pid << 3) | 2)  # CPUCLOCK_SCHED of that process, as in glibc
    except OSError:
        return 0.0


def queued(pid: int) -> float:
    """Seconds for which a living process could have run and had no core; 0.0 where this system does not tell.

    Of its main thread, up to when that last got one.
    """
    try:
        with open(f"/proc/{pid}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def kill_group(pid: int) -> None:
    """SIGKILL to the process group that `pid` leads. Safe only while `pid` has not been reaped."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass  # already gone; macOS says EPERM for a group of zombies


def kill_marked(marker: str) -> int:
    """SIGKILL to every process that carries `marker`, wherever it hid. How many there were.

    Descriptors for processes (pidfd) close the gap between looking and killing, in which the number
    could come to mean another process. Without them, or without /proc, the process group must do.
    """
    return _kill_all(lambda environment: f"{MARKER}={marker}".encode() in environment)


def kill_in_tree(tree: str) -> int:
    """SIGKILL to all descendants of the process that `tree` names, except wardens. How many there were."""
    warden = f"{WARDEN}=1".encode()

    def wanted(environment: list[bytes]) -> bool:
        return warden not in environment and any(tree in _trees(entry) for entry in environment)

    return _kill_all(wanted)


def marked(marker: str) -> list[int]:
    """The living processes that carry `marker`."""
    return [pid for pid in _pids() if f"{MARKER}={marker}".encode() in _environment(pid)]


def in_tree(tree: str) -> list[int]:
    """The living processes that descend from the one that `tree` names."""
    return [pid for pid in _pids() if any(tree in _trees(entry) for entry in _environment(pid))]


_Wanted = Callable[[list[bytes]], bool]


def _kill_all(wanted: _Wanted) -> int:
    if not hasattr(os, "pidfd_open") or not os.path.isdir("/proc/self"):
        return 0
    killed = 0
    for _ in range(_PASSES):
        found = sum(_kill_if(pid, wanted) for pid in _pids())
        if not found:
            break
        killed += found
    return killed


def _trees(entry: bytes) -> list[str]:
    name, _, value = entry.partition(b"=")
    return value.decode("ascii", "replace").split(":") if name == TREE.encode() else []


def _pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]


def _kill_if(pid: int, wanted: _Wanted) -> bool:
    if not wanted(_environment(pid)):
        return False
    try:
        handle = os.pidfd_open(pid)
    except OSError:
        return False
    try:
        if not wanted(_environment(pid)):
            return False
        signal.pidfd_send_signal(handle, signal.SIGKILL)
    except OSError:
        return False
    finally:
        os.close(handle)
    return True


def _environment(pid: int) -> list[bytes]:
    """As it was when the process began; empty for a zombie, and for what we may not look at."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return file.read().split(b"\0")
    except OSError:
        return []


def kernel_oom_kills() -> int:
    """How often the kernel's out-of-memory killer has struck since boot; -1 where it does not say."""
    try:
        lines = Path("/proc/vmstat").read_text().splitlines()
    except OSError:
        return -1
    return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), -1)
