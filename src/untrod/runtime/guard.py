"""Keeps the target from harming the machine by accident: an audit hook that refuses what is not allowed.

A guard rail, not a sandbox. It sees what Python reports about itself (PEP 578), so C code, `ctypes` and
a target that means harm get past it; an ordinary program that deletes, sends or spawns does not.

Reading is always allowed; writing is allowed inside the scratch folder. Whatever is refused raises
`Refused` at the place that attempted it, and is remembered until `drain`, because a target may swallow the
exception.

The hook runs inside the target's calls, so it must hold when the target has mangled `builtins` or the
modules it uses: everything it needs is bound below, when this module is imported.
"""

from __future__ import annotations

import sys
from _thread import get_ident
from builtins import (  # noqa: UP029 - this module's own, whatever becomes of builtins
    OSError,
    TypeError,
    ValueError,
    int,
    isinstance,
    len,
    repr,
    str,
)
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import (
    O_APPEND,
    O_CREAT,
    O_RDWR,
    O_TRUNC,
    O_WRONLY,
    chdir,
    getpgrp,
    getpid,
    makedirs,
)
from typing import Any

from untrod.core.vocabulary import Json
from untrod.runtime.limits import NETWORK, PERMISSIONS, PROCESSES, WRITE
from untrod.runtime.realpath import absolute, as_text, resolve

_MOST_REFUSALS = 100  # remembered at a time
_LONGEST_NAME = 200


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


def install(scratch: str, allow: frozenset[str]) -> None:
    """Guard this process from now on. There is no way back: an audit hook cannot be removed."""
    _state.root = resolve(scratch, True)
    _state.installed = True
    watched: dict[str, _Check] = {"os.chdir": _left_home}
    for permission, checks in _CHECKS.items():
        if permission not in allow:
            watched |= checks
    sys.addaudithook(_hook(watched))
    if PROCESSES not in allow:
        _report_spawning()


def drain() -> list[Refusal]:
    """What was refused since the last call."""
    refusals = [Refusal(*key, times) for key, times in _state.refused.items()]
    _state.refused.clear()
    return refusals


def refused_so_far() -> int:
    """How often something was refused in this process: whoever compares two of these numbers knows whether
    it happened in between, also when the target swallowed it."""
    return _state.total


@contextmanager
def paused() -> Iterator[None]:
    """untrod's own code in this thread may do what the target may not."""
    me = get_ident()
    _state.paused.add(me)
    try:
        yield
    finally:
        _state.paused.discard(me)


def go_home() -> None:
    """Back to the scratch folder, if the target changed directory. Cheap when it did not."""
    if _state.away:
        _state.away = False
        with paused():
            makedirs(_state.root, exist_ok=True)
            chdir(_state.root)
        _state.away = False


_Check = Callable[[str, tuple[Any, ...]], None]


class _State:
    def __init__(self) -> None:
        self.installed = False
        self.root = ""
        self.away = False
        self.refused: dict[tuple[str, str, str], int] = {}
        self.total = 0
        self.paused: set[int] = set()


_state = _State()


def _hook(watched: dict[str, _Check]) -> _Check:
    find, paused_threads, me = watched.get, _state.paused, get_ident

    def hook(event: str, args: tuple[Any, ...]) -> None:
        check = find(event)
        if check is not None and me() not in paused_threads:
            check(event, args)

    return hook


def _refuse(permission: str, attempt: str, event: str) -> None:
    if len(attempt) > _LONGEST_NAME:
        attempt = attempt[:_LONGEST_NAME] + "..."
    key = (permission, attempt, event)
    _state.total += 1
    refused = _state.refused
    if key in refused:
        refused[key] += 1
    elif len(refused) < _MOST_REFUSALS:
        refused[key] = 1
    raise Refused(Refusal(permission, attempt, event).message)


# ---- files ----

_WRITING = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND
_HARMLESS = frozenset({"/dev/null", "/dev/zero", "/dev/full", "/dev/tty"})


def _open(event: str, args: tuple[Any, ...]) -> None:
    path, _, flags = args
    if flags & _WRITING:
        _write(event, path)


def _changes(verb: str, follow: bool, paths: tuple[tuple[int, int | None], ...] = ((0, None),)) -> _Check:
    """A check of the arguments at the first of each pair, relative to the folder descriptor at the second."""

    def check(event: str, args: tuple[Any, ...]) -> None:
        for path_at, folder_at in paths:
            folder = -1 if folder_at is None else args[folder_at]
            _write(event, args[path_at], verb, folder, follow)

    return check


def _write(event: str, path: Any, verb: str = "write", folder: int = -1, follow: bool = True) -> None:
    if isinstance(path, int):
        return  # a descriptor that is open already
    try:
        text = absolute(path, folder)
        real = resolve(text, follow)
    except (OSError, TypeError, ValueError):
        text, real = repr(path), ""  # cannot be told: refuse
    if not (real.startswith(_state.root + "/") or real in _HARMLESS):
        _refuse(WRITE, f"{verb} {text}", event)


def _sqlite(event: str, args: tuple[Any, ...]) -> None:
    name = as_text(args[0])
    if name in (":memory:", ""):
        return
    if name.startswith("file:"):
        name, _, query = name[5:].partition("?")
        if name == ":memory:" or "mode=memory" in query or "mode=ro" in query:
            return
    _write(event, name)


def _left_home(event: str, args: tuple[Any, ...]) -> None:
    _state.away = True


# ---- processes and network ----


def _spawn(event: str, args: tuple[Any, ...]) -> None:
    what = args[0] if args else None
    _refuse(PROCESSES, "start a process" + (f": {_name(what)}" if what else ""), event)


def _kill(event: str, args: tuple[Any, ...]) -> None:
    pid, number = args
    own = (0, getpgrp()) if event == "os.killpg" else (0, getpid())
    if pid not in own and number:
        _refuse(PROCESSES, f"send signal {number} to {pid}", event)


def _set_limit(event: str, args: tuple[Any, ...]) -> None:
    if event == "resource.setrlimit" or (len(args) > 2 and args[2]):
        _refuse(PROCESSES, "change a resource limit", event)


def _connect(event: str, args: tuple[Any, ...]) -> None:
    address = args[1]
    if address is not None:  # None: a socket pair, connected from birth
        _refuse(NETWORK, f"{event.rpartition('.')[2]} {_name(address)}", event)


def _look_up(event: str, args: tuple[Any, ...]) -> None:
    _refuse(NETWORK, f"look up {_name(args[0])}", event)


def _name(what: Any) -> str:
    return what if isinstance(what, str) else repr(what)


_CHECKS: dict[str, dict[str, _Check]] = {
    WRITE: {
        "open": _open,
        "os.mkdir": _changes("create", True, ((0, 2),)),
        "os.rmdir": _changes("delete", False, ((0, 1),)),
        "os.remove": _changes("delete", False, ((0, 1),)),
        "os.rename": _changes("rename", False, ((0, 2), (1, 3))),
        "os.link": _changes("link", False, ((0, 2), (1, 3))),
        "os.symlink": _changes("link", False, ((1, 2),)),
        "os.chmod": _changes("chmod", True, ((0, 2),)),
        "os.chown": _changes("chown", True, ((0, 3),)),
        "os.chflags": _changes("chflags", True),
        "os.truncate": _changes("truncate", True),
        "os.utime": _changes("touch", True, ((0, 3),)),
        "os.setxattr": _changes("setxattr", True),
        "os.removexattr": _changes("removexattr", True),
        "sqlite3.connect": _sqlite,
    },
    PROCESSES: {
        "os.fork": _spawn,
        "os.forkpty": _spawn,
        "os.posix_spawn": _spawn,
        "os.spawn": _spawn,
        "os.exec": _spawn,
        "os.system": _spawn,
        "pty.spawn": _spawn,
        "subprocess.Popen": _spawn,
        "untrod.spawn": _spawn,
        "os.kill": _kill,
        "os.killpg": _kill,
        "resource.setrlimit": _set_limit,
        "resource.prlimit": _set_limit,
    },
    NETWORK: {
        "socket.connect": _connect,
        "socket.bind": _connect,
        "socket.sendto": _connect,
        "socket.sendmsg": _connect,
        "socket.getaddrinfo": _look_up,
        "socket.gethostbyname": _look_up,
        "socket.gethostbyaddr": _look_up,
        "socket.getnameinfo": _look_up,
    },
}
assert _CHECKS.keys() == PERMISSIONS.keys()


def _report_spawning() -> None:
    """`multiprocessing` starts its processes by a call that CPython does not audit: report it ourselves."""
    import _posixsubprocess

    real, audit = _posixsubprocess.fork_exec, sys.audit

    def fork_exec(*args: Any) -> Any:
        audit("untrod.spawn", args[0])
        return real(*args)

    _posixsubprocess.fork_exec = fork_exec
