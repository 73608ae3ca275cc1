"""What each audit event means for files, processes and the network: the tables that the guard looks up.

A check gets the event and its arguments, and calls `refuse` or returns. It runs inside the target's calls, so
it must hold when the target has mangled `builtins`: everything it needs is bound below, on import.
"""

from __future__ import annotations

from builtins import (  # noqa: UP029 - this module's own, whatever becomes of builtins
    OSError,
    TypeError,
    ValueError,
    int,
    isinstance,
    len,
    repr,
    str,
    tuple,
    type,
)
from collections.abc import Callable
from os import O_APPEND, O_CREAT, O_RDWR, O_TRUNC, O_WRONLY, getpgrp, getpid
from typing import Any

from untrod.runtime import unaudited
from untrod.runtime.landlock import HARMLESS
from untrod.runtime.limits import NETWORK, PERMISSIONS, PROCESSES, WRITE
from untrod.runtime.realpath import absolute, as_text, folder_of, resolve
from untrod.runtime.refusals import LONGEST_NAME, refuse

Check = Callable[[str, tuple[Any, ...]], None]
_MOST_TOUCHED = 10  # remembered at a time
_MOST_READ = 50


class State:
    """Of the guarded process."""

    def __init__(self) -> None:
        self.installed = False
        self.root = ""
        self.roots: tuple[str, ...] = ()
        self.away = False  # the target has changed directory
        self.touched: dict[str, None] = {}
        self.variables = True  # of the environment were changed, as far as is known
        self.read: dict[str, None] = {}  # by absolute names
        self.foreign = 0  # functions of C that were looked up: what they do nobody sees
        self.paused: set[int] = set()
        self.ports: tuple[int, ...] = ()  # that may be connected to


state = State()

# ---- files ----

_WRITING = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND


def _open(event: str, args: tuple[Any, ...]) -> None:
    path, _, flags = args
    if flags & _WRITING:
        _write(event, path)
    else:
        _note_reading(path)


def _open_at(event: str, args: tuple[Any, ...]) -> None:
    path, flags, folder = args
    if flags & _WRITING:
        _write("os.open", path, folder=folder)


def _changes(
    verb: str,
    follow: bool,
    paths: tuple[tuple[int, int | None], ...] = ((0, None),),
    by_descriptor: bool = False,
) -> Check:
    """A check of the arguments at the first of each pair, relative to the folder descriptor at the second.

    `by_descriptor`: a file that was opened for reading can be changed so.
    """

    def check(event: str, args: tuple[Any, ...]) -> None:
        for path_at, folder_at in paths:
            folder = -1 if folder_at is None else args[folder_at]
            path = args[path_at]
            if by_descriptor and isinstance(path, int):
                path = _path_of(path)
            _write(event, path, verb, folder, follow)

    return check


def _write(event: str, path: Any, verb: str = "write", folder: int = -1, follow: bool = True) -> None:
    if isinstance(path, int):
        return  # a descriptor that is open for writing already
    try:
        text = absolute(path, folder)
        real = resolve(text, follow)
    except (OSError, TypeError, ValueError):
        text, real = repr(path), ""  # cannot be told: refuse
    nameless = event == "open" and f"{real}/" in state.roots  # O_TMPFILE: a file without a name
    if not (real.startswith(state.roots) or real in HARMLESS or nameless):
        refuse(WRITE, f"{verb} {text}", event)
    _note(path)


def _path_of(descriptor: int) -> Any:
    try:
        return folder_of(descriptor)
    except OSError:
        return descriptor  # it is not open, or no file


def _note(path: Any) -> None:
    """That this name depends on where one is."""
    if isinstance(path, str) and path[:1] != "/" and len(state.touched) < _MOST_TOUCHED:
        state.touched[path[:LONGEST_NAME]] = None
    elif not isinstance(path, str | int) and path is not None:
        try:
            _note(as_text(path))
        except (TypeError, ValueError):
            pass  # no path


def _note_reading(path: Any) -> None:
    """But not where Python looks for the source of `<unknown>`, to show it with a syntax error. What is
    written under such a name is found in the folder afterwards."""
    if isinstance(path, str) and path[:1] == "/":
        if len(state.read) < _MOST_READ and not path.startswith(state.roots):
            state.read[path[:LONGEST_NAME]] = None
    elif not (isinstance(path, str) and path[:1] == "<" and path[-1:] == ">"):
        _note(path)


def _read(event: str, args: tuple[Any, ...]) -> None:
    if args:
        _note("." if args[0] is None else args[0])


def _sqlite(event: str, args: tuple[Any, ...]) -> None:
    name = as_text(args[0])
    if name in (":memory:", ""):
        return
    if name.startswith("file:"):
        name, _, query = name[5:].partition("?")
        if name == ":memory:" or "mode=memory" in query or "mode=ro" in query:
            return
    _write(event, name)


def _look_up_symbol(event: str, args: tuple[Any, ...]) -> None:
    state.foreign += 1


def _set_variable(event: str, args: tuple[Any, ...]) -> None:
    state.variables = True


def _left_home(event: str, args: tuple[Any, ...]) -> None:
    state.away = True
    _read(event, args)


# ---- processes and network ----


def _spawn(event: str, args: tuple[Any, ...]) -> None:
    what = args[0] if args else None
    refuse(PROCESSES, "start a process" + (f": {_name(what)}" if what else ""), event)


def _kill(event: str, args: tuple[Any, ...]) -> None:
    pid, number = args
    own = (0, getpgrp()) if event == "os.killpg" else (0, getpid())
    if pid not in own and number:
        refuse(PROCESSES, f"send signal {number} to {pid}", event)


def _signal_by_descriptor(event: str, args: tuple[Any, ...]) -> None:
    if len(args) < 2 or args[1]:
        refuse(PROCESSES, f"send signal {args[1] if len(args) > 1 else ''} to a process", event)


def _share(event: str, args: tuple[Any, ...]) -> None:
    refuse(PROCESSES, f"make {args[0]} for processes to share", event)


def _listen(event: str, args: tuple[Any, ...]) -> None:
    if args[0].family != _UNNAMED:
        refuse(NETWORK, "listen for connections", event)


def _set_limit(event: str, args: tuple[Any, ...]) -> None:
    if event == "resource.setrlimit" or (len(args) > 2 and args[2]):
        refuse(PROCESSES, "change a resource limit", event)


_UNNAMED = 0  # the family of a socket that is closed


def _connect(event: str, args: tuple[Any, ...]) -> None:
    address = args[1]
    if event in ("socket.connect", "untrod.connect") and _port(address) in state.ports:
        return
    if address is not None:  # None: a socket pair, connected from birth
        refuse(NETWORK, f"{event.rpartition('.')[2]} {_name(address)}", event)


def _port(address: Any) -> int:
    """0 where it is no number: nobody connects to that."""
    port = address[1] if type(address) is tuple and len(address) > 1 else 0
    return port if type(port) is int else 0


def _look_up(event: str, args: tuple[Any, ...]) -> None:
    if event == "socket.getaddrinfo" and str(args[1]) in [str(port) for port in state.ports]:
        return  # on the way to `connect`
    refuse(NETWORK, f"look up {_name(args[0])}", event)


def _name(what: Any) -> str:
    return what if isinstance(what, str) else repr(what)


NOTED: dict[str, Check] = {
    "import": lambda event, args: unaudited.on_import(args[0]),
    "open": lambda event, args: _note_reading(args[0]),
    "os.chdir": _left_home,
    "os.putenv": _set_variable,
    "os.unsetenv": _set_variable,
    "ctypes.dlsym": _look_up_symbol,
    "ctypes.dlsym/handle": _look_up_symbol,
    "os.listdir": _read,
    "os.scandir": _read,
    **dict.fromkeys(
        (
            "os.mkdir",
            "os.rmdir",
            "os.remove",
            "os.rename",
            "os.link",
            "os.symlink",
            "os.chmod",
            "os.truncate",
        ),
        _read,
    ),
}
"""Whatever is allowed: see `touched`, `go_home` and `unaudited`."""

CHECKS: dict[str, dict[str, Check]] = {
    WRITE: {
        "open": _open,
        "untrod.open": _open_at,
        "untrod.make": _changes("create", True, ((0, 1),)),
        "untrod.history": _changes("write", True),
        "os.mkdir": _changes("create", True, ((0, 2),)),
        "os.rmdir": _changes("delete", False, ((0, 1),)),
        "os.remove": _changes("delete", False, ((0, 1),)),
        "os.rename": _changes("rename", False, ((0, 2), (1, 3))),
        "os.link": _changes("link", False, ((0, 2), (1, 3))),
        "os.symlink": _changes("link", False, ((1, 2),)),
        "os.chmod": _changes("chmod", True, ((0, 2),), True),
        "os.chown": _changes("chown", True, ((0, 3),), True),
        "os.chflags": _changes("chflags", True),
        "os.truncate": _changes("truncate", True),
        "os.utime": _changes("touch", True, ((0, 3),), True),
        "os.setxattr": _changes("setxattr", True, by_descriptor=True),
        "os.removexattr": _changes("removexattr", True, by_descriptor=True),
        "sqlite3.connect": _sqlite,
        "untrod.attach": _sqlite,
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
        "untrod.signal": _signal_by_descriptor,
        "untrod.share": _share,
        "os.kill": _kill,
        "os.killpg": _kill,
        "resource.setrlimit": _set_limit,
        "resource.prlimit": _set_limit,
    },
    NETWORK: {
        "socket.connect": _connect,
        "socket.bind": _connect,
        "untrod.connect": _connect,
        "untrod.bind": _connect,
        "untrod.sendto": _connect,
        "untrod.sendmsg": _connect,
        "untrod.listen": _listen,
        "socket.sendto": _connect,
        "socket.sendmsg": _connect,
        "socket.getaddrinfo": _look_up,
        "socket.gethostbyname": _look_up,
        "socket.gethostbyaddr": _look_up,
        "socket.getnameinfo": _look_up,
    },
}
assert CHECKS.keys() == PERMISSIONS.keys()
