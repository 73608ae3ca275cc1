"""How a worker process locks itself in before it lets the target run."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import resource
import signal
import sys
from collections.abc import Callable, Sequence

from untrod.runtime import landlock
from untrod.runtime.limits import CHILDREN, NETWORK, PERMISSIONS, PROCESSES, WRITE, Limits, ports_of

SHARED_MEMORY, PROC = "/dev/shm", "/proc"
_PR_SET_PDEATHSIG = 1
_HIGH = 4000  # where our descriptors go: above what a target counts on, below any usual limit
_LARGEST_FILE = 2**30
_CPU_PER_OPERATION = 3600  # a last resort, for when the supervisor itself hangs


def die_with_parent(parent: int) -> list[str]:
    """SIGKILL for this process as soon as its parent dies. Returns what could not be done, in words."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if not sys.platform.startswith("linux") or prctl is None:
        return ["workers cannot be tied to untrod's life on this system: one may outlive a kill -9"]
    prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(0)  # it died before we asked
    return []


def enclose(scratch: str, allow: frozenset[str], writable: Sequence[str] = ()) -> list[str]:
    """From now on the kernel refuses what is not allowed. Returns what it cannot refuse here, in words.

    Files are changed beneath `scratch` and `writable` only. Semaphores and shared memory lie in a folder that
    all processes share: whoever may start processes may use them. A browser, for which `children` is there,
    listens to a socket of its own, and locks itself in by writing into /proc, which its root cannot do.
    """
    if allow >= PERMISSIONS.keys():
        return []
    shared = (SHARED_MEMORY,) if PROCESSES in allow else ()
    locks = (PROC,) if CHILDREN in allow and os.geteuid() != 0 else ()
    return landlock.confine(
        landlock.Confinement(
            writable=(scratch, *writable, *shared, *locks),
            files=WRITE not in allow,
            network=NETWORK not in allow,
            signals=PROCESSES not in allow,
            ports=ports_of(allow),
            listening=CHILDREN not in allow,
        )
    )


def move_high(descriptor: int) -> int:
    """The same file at a high number, closed on exec; `descriptor` itself is closed."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowest = _HIGH if soft == resource.RLIM_INFINITY else min(_HIGH, soft - 16)
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, lowest)
    os.close(descriptor)
    return moved


def hide_descriptors(hidden: frozenset[int]) -> None:
    """To `os.close` and `os.closerange`, the descriptors `hidden` do not exist.

    Programs that turn themselves into daemons close every descriptor they could have. That is no fault,
    and ours were not there without untrod. C code can still close them; then the worker is lost.
    """
    real_close, real_closerange, fail = os.close, os.closerange, os.strerror

    def close(fd: int) -> None:
        if fd in hidden:
            raise OSError(errno.EBADF, fail(errno.EBADF))
        real_close(fd)

    def closerange(fd_low: int, fd_high: int, /) -> None:
        start = fd_low
        for kept in sorted(hidden):
            if start <= kept < fd_high:
                real_closerange(start, kept)
                start = kept + 1
        real_closerange(start, fd_high)

    os.close = close
    os.closerange = closerange


def limit(limits: Limits) -> list[str]:
    """Memory, file size and core dumps. Returns what could not be limited, in words."""
    notices = []
    memory = limits.memory_mb * 2**20
    for name, amount, what in (
        ("RLIMIT_AS", memory, "memory"),
        ("RLIMIT_FSIZE", _LARGEST_FILE, "file size"),
        ("RLIMIT_CORE", 0, "core dumps"),
    ):
        if not _set_limit(name, amount):
            notices.append(f"{what} cannot be limited on this system")
    return notices


def allow_cpu(limits: Limits) -> None:
    """Let the next operation have its share of CPU; only a runaway ever reaches the end of it."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    end = int(used.ru_utime + used.ru_stime + _CPU_PER_OPERATION + 10 * limits.episode_cpu)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    if hard == resource.RLIM_INFINITY or end <= hard:
        resource.setrlimit(resource.RLIMIT_CPU, (end, hard))


def after_fork_in_child(forget: Callable[[], None], descriptors: frozenset[int]) -> None:
    """A child that the target forks must neither speak for us nor outlive us."""
    close = os.close

    def detach() -> None:
        forget()
        for descriptor in descriptors:
            close(descriptor)
        die_with_parent(os.getppid())

    os.register_at_fork(after_in_child=detach)


def _set_limit(name: str, amount: int) -> bool:
    try:
        number = getattr(resource, name)
        _, hard = resource.getrlimit(number)
        amount = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
        # Only our own code could raise it again: the guard refuses that to targets. The native engine does,
        # for processes of its own that need more addresses than memory.
        resource.setrlimit(number, (amount, hard if name == "RLIMIT_AS" else amount))
    except (AttributeError, ValueError, OSError):
        return False
    return True
