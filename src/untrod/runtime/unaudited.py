"""Calls that do harm and that CPython does not audit: from here on they are, by events of our own.

The guard hears of these as of any other (see `guard`); their names begin with `untrod.`. Functions of C are
replaced in their modules; a module that is not there yet is looked after as soon as it is imported. What gets
past this, because it kept the real function or is C itself, the kernel still refuses.
"""

from __future__ import annotations

import importlib
import os
import posix
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

_ATTACH = 24  # SQLite's number for it
_DENY, _OK = 1, 0


def report() -> None:
    """Report these calls from now on; modules that come later are seen by `on_import`."""
    _report_opening()
    for name in list(_LATER):
        if name in sys.modules:
            _LATER.pop(name)(sys.modules[name])


def on_import(name: str) -> None:
    """To be called with the name of a module that is about to be imported."""
    look_after = _LATER.pop(name, None)
    if look_after is not None:
        look_after(_import(name))


def _report_opening() -> None:
    """Relative to an open folder: the event `open` does not tell which."""
    audit, real_open, real_fifo, real_node = sys.audit, os.open, os.mkfifo, os.mknod

    def open(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if dir_fd is not None:
            audit("untrod.open", path, flags, dir_fd)
        return real_open(path, flags, mode, dir_fd=dir_fd)

    def mkfifo(path: Any, mode: int = 0o666, *, dir_fd: int | None = None) -> None:
        audit("untrod.make", path, -1 if dir_fd is None else dir_fd)
        real_fifo(path, mode, dir_fd=dir_fd)

    def mknod(path: Any, mode: int = 0o600, device: int = 0, *, dir_fd: int | None = None) -> None:
        audit("untrod.make", path, -1 if dir_fd is None else dir_fd)
        real_node(path, mode, device, dir_fd=dir_fd)

    for replacement in (open, mkfifo, mknod):
        for module in (os, posix):
            setattr(module, replacement.__name__, replacement)
        os.supports_dir_fd.add(replacement)


def _report_spawning(module: ModuleType) -> None:
    """`multiprocessing` starts its processes so."""
    _replace(module, "fork_exec", lambda args: ("untrod.spawn", args[0] if args else None))


def _report_signals(module: ModuleType) -> None:
    _replace(module, "pidfd_send_signal", lambda args: ("untrod.signal", *args[:2]))


def _report_history(module: ModuleType) -> None:
    for name in ("write_history_file", "append_history_file"):
        if hasattr(module, name):
            _replace(module, name, lambda args: ("untrod.history", args[-1] if args else None))


def _report_listening(module: ModuleType) -> None:
    """Without a bind before it, a port is taken all the same."""
    audit, real = sys.audit, module.socket.listen

    def listen(self: Any, *backlog: int) -> None:
        audit("untrod.listen", self)
        real(self, *backlog)

    module.socket.listen = listen
    for name, place in {"connect": 0, "connect_ex": 0, "bind": 0, "sendto": -1, "sendmsg": 3}.items():
        _report_address(module, name, place)


def _report_address(module: ModuleType, name: str, place: int) -> None:
    """CPython tells of it when it has looked up the name of the host, of which it does not tell. `place` is
    that of the address among the arguments."""
    audit, real = sys.audit, getattr(module.socket, name)
    event = f"untrod.{name.partition('_')[0]}"

    def reported(self: Any, *args: Any) -> Any:
        if len(args) > place:
            audit(event, self, args[place])
        return real(self, *args)

    reported.__name__ = name
    setattr(module.socket, name, reported)


def _report_attaching(module: ModuleType) -> None:
    """A connection can attach other files, and VACUUM INTO does: SQLite asks before."""
    audit, real = sys.audit, module.connect

    def authorise(action: int, name: str | None, *more: Any) -> int:
        if action != _ATTACH or not name:
            return _OK
        try:
            audit("untrod.attach", name)
        except PermissionError:
            return _DENY
        return _OK

    def connect(*arguments: Any, **named: Any) -> Any:
        connection = real(*arguments, **named)
        connection.set_authorizer(authorise)
        return connection

    module.connect = connect  # type: ignore[attr-defined]


def _report_shared_memory(module: ModuleType) -> None:
    _replace(module, "shm_open", lambda args: ("untrod.share", "shared memory"))


def _report_semaphores(module: ModuleType) -> None:
    audit, real = sys.audit, module.SemLock

    class SemLock(real):  # type: ignore[misc, valid-type]
        def __new__(cls, *arguments: Any, **named: Any) -> Any:
            audit("untrod.share", "a semaphore")
            return real.__new__(cls, *arguments, **named)

    module.SemLock = SemLock  # type: ignore[attr-defined]


def _replace(module: ModuleType, name: str, event: Callable[[tuple[Any, ...]], tuple[Any, ...]]) -> None:
    audit, real = sys.audit, getattr(module, name, None)
    if real is None:
        return

    def reported(*args: Any, **named: Any) -> Any:
        audit(*event(args))
        return real(*args, **named)

    reported.__name__ = name
    setattr(module, name, reported)


_import = importlib.import_module
_LATER: dict[str, Callable[[ModuleType], None]] = {
    "_posixsubprocess": _report_spawning,
    "_signal": _report_signals,
    "signal": _report_signals,
    "socket": _report_listening,
    "_sqlite3": _report_attaching,
    "readline": _report_history,
    "_posixshmem": _report_shared_memory,
    "_multiprocessing": _report_semaphores,
}
