"""Where the guard has refused something: the settings with which the same code attempts nothing.

A test of a refused run would really write, connect or start something. With a stand-in for the function that
did, which raises what the operating system would, or answers as if it had been done, nothing is attempted:
the run is seen to be refused nothing, and a test can say the same with `monkeypatch`.
"""

from __future__ import annotations

import errno
import os
import socket
import sys
from collections.abc import Iterable, Iterator

from untrod.engines.cover.outside.settings import NOTHING, Setting, World, merged
from untrod.source.nodes import Atom, Call, Display, Node, Ref, Text

MOST = 4
"""Settings that are put in one after the other, where without one thing the code attempts the next."""
_ADDRESS = Display("(", (Text("192.0.2.1"), Atom("80")))


def _error(name: str, number: int, module: str = "builtins", says: str = "") -> Node:
    return Call(Ref(module, name), (Atom(str(number)), Text(says or os.strerror(number))))


_DENIED = _error("PermissionError", errno.EACCES)
_NOT_PERMITTED = _error("PermissionError", errno.EPERM)
_NO_PROGRAM = _error("FileNotFoundError", errno.ENOENT)
_NO_PROCESS = _error("BlockingIOError", errno.EAGAIN)
_UNKNOWN = _error("gaierror", socket.EAI_NONAME, "socket", "Name or service not known")
_UNREACHABLE = _error("OSError", errno.ENETUNREACH)


def _raises(error: Node, *functions: str) -> list[World]:
    return [(Setting("raise", function, error),) for function in functions]


def _does(error: Node, *functions: str) -> list[World]:
    """It raises; or it is done, and gives None."""
    return [
        way
        for function in functions
        for way in ((Setting("raise", function, error),), (Setting("return", function, NOTHING),))
    ]


_WAYS: dict[str, list[World]] = {
    "open": _raises(_DENIED, "builtins:open", "io:open", "os:open"),
    "untrod.open": _raises(_DENIED, "os:open"),
    "os.mkdir": _does(_DENIED, "os:mkdir"),
    "os.rmdir": _does(_DENIED, "os:rmdir"),
    "os.remove": _does(_DENIED, "os:remove", "os:unlink"),
    "os.rename": _does(_DENIED, "os:rename", "os:replace"),
    "os.link": _does(_DENIED, "os:link"),
    "os.symlink": _does(_DENIED, "os:symlink"),
    "os.chmod": _does(_NOT_PERMITTED, "os:chmod"),
    "os.chown": _does(_NOT_PERMITTED, "os:chown"),
    "os.truncate": _does(_DENIED, "os:truncate"),
    "os.utime": _does(_DENIED, "os:utime"),
    "sqlite3.connect": _raises(
        Call(Ref("sqlite3", "OperationalError"), (Text("unable to open database file"),)), "sqlite3:connect"
    ),
    "os.fork": _raises(_NO_PROCESS, "os:fork"),
    "os.posix_spawn": _raises(_NO_PROGRAM, "os:posix_spawn"),
    "os.exec": _raises(_NO_PROGRAM, "os:execv", "os:execve", "os:execvp", "os:execvpe"),
    "os.system": [(Setting("return", "os:system", Atom(str(status))),) for status in (0, 127 << 8)],
    "subprocess.Popen": _raises(_NO_PROGRAM, "subprocess:Popen"),
    "os.kill": _does(_NOT_PERMITTED, "os:kill"),
    "os.killpg": _does(_NOT_PERMITTED, "os:killpg"),
    "socket.connect": [
        *_raises(_error("ConnectionRefusedError", errno.ECONNREFUSED), "socket:socket.connect"),
        (
            Setting("return", "socket:socket.connect"),
            Setting("return", "socket:socket.send", Atom("1")),
            Setting("return", "socket:socket.sendall"),
            Setting("return", "socket:socket.recv", Text(b"")),
        ),
        (Setting("return", "socket:socket.connect_ex", Atom(str(errno.ECONNREFUSED))),),
    ],
    "socket.bind": _does(_DENIED, "socket:socket.bind"),
    "untrod.listen": _does(_DENIED, "socket:socket.listen"),
    "socket.sendto": [
        *_raises(_UNREACHABLE, "socket:socket.sendto"),
        (
            Setting("return", "socket:socket.sendto", Atom("1")),
            Setting("return", "socket:socket.recvfrom", Display("(", (Text(bytes(48)), _ADDRESS))),
        ),
    ],
    "socket.sendmsg": _raises(_UNREACHABLE, "socket:socket.sendmsg"),
    "socket.getaddrinfo": [
        *_raises(_UNKNOWN, "socket:getaddrinfo"),
        (
            Setting(
                "return",
                "socket:getaddrinfo",
                Display("[", (Display("(", (Atom("2"), Atom("1"), Atom("6"), Text(""), _ADDRESS)),)),
            ),
        ),
    ],
    "socket.gethostbyname": [
        *_raises(_UNKNOWN, "socket:gethostbyname", "socket:gethostbyname_ex"),
        (Setting("return", "socket:gethostbyname", Text("192.0.2.1")),),
    ],
    "socket.gethostbyaddr": _raises(
        _error("herror", 1, "socket", "Unknown host"), "socket:gethostbyaddr", "socket:getfqdn"
    ),
    "socket.getnameinfo": _raises(_UNKNOWN, "socket:getnameinfo"),
}
"""By audit event, one way after the other to try."""
for _name in ("connect", "bind", "sendto", "sendmsg"):  # the guard may hear of them earlier
    _WAYS[f"untrod.{_name}"] = _WAYS[f"socket.{_name}"]


def instead(world: World, events: Iterable[str], modules: Iterable[str]) -> Iterator[World]:
    """Worlds in which what was refused may not be attempted. `modules` are those under test, which may have
    imported the function by its name."""
    if sum(setting.kind in ("raise", "return") for setting in world) >= MOST:
        return
    names = list(modules)
    for event in events:
        for way in _WAYS.get(event, ()):
            seen = tuple(Setting(one.kind, _where(one.name, names), one.value) for one in way)
            if not {one.name for one in seen} & {one.name for one in world}:
                yield merged((*world, *seen))


def _where(name: str, modules: Iterable[str]) -> str:
    """Where the code under test finds the function."""
    module, _, attribute = name.partition(":")
    found = getattr(sys.modules.get(module), attribute, None)
    for own in modules:
        for local, value in (
            vars(sys.modules[own]).items() if own in sys.modules and found is not None else ()
        ):
            if value is found:
                return f"{own}:{local}"
    return name
