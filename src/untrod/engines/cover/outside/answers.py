"""Functions of the standard library that reach outside: what they may answer, and what they raise.

By the names of the functions themselves, wherever the code under test has them from. What is drawn is what
such a function documents.
"""

from __future__ import annotations

import errno
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType
from typing import Any

from untrod.engines.cover.outside.settings import NOTHING
from untrod.engines.cover.values.kinds import DrawContext, Textual
from untrod.source.literals import importable
from untrod.source.nodes import Atom, Call, Display, Node, Ref, Text

Draw = Callable[[DrawContext], Node]
_LONGEST = 200
_STATUS = (0, 0, 1, 2)
_WORLDLY = 1_700_000_000
_OUTSIDE = {
    "posix": "stat lstat listdir scandir access readlink remove unlink rename replace mkdir rmdir chmod "
    "chown link symlink truncate utime kill killpg fork getlogin uname sysconf statvfs getpgid",
    "os": "makedirs removedirs renames popen walk",
    "_io": "open",
    "io": "open",
    "codecs": "open",
    "genericpath": "getsize getmtime getctime getatime",
    "shutil": "copy copy2 copyfile copytree move rmtree disk_usage",
    "tempfile": "mkstemp mkdtemp",
    "subprocess": "run call check_call check_output getoutput getstatusoutput",
    "socket": "create_connection getfqdn getaddrinfo gethostname",
    "_socket": "gethostbyname gethostbyaddr getaddrinfo getnameinfo gethostname",
    "urllib.request": "urlopen urlretrieve",
    "pwd": "getpwnam getpwuid",
    "grp": "getgrnam getgrgid",
    "getpass": "getuser getpass",
    "builtins": "input",
}
_FUNCTIONS = frozenset(f"{module}.{name}" for module, names in _OUTSIDE.items() for name in names.split())
_OF_OUTSIDE = (OSError, subprocess.SubprocessError, EOFError)
_OF_TYPES = (TypeError, AttributeError, NameError, ImportError, AssertionError, NotImplementedError)
"""What a function raises that was called in a wrong way: no stand-in does it for one that was not."""


def text(context: DrawContext) -> Node:
    """A few lines, without what no stream and no variable can hold."""
    lines = [_line(context) for _ in range(context.rng.choice((0, 1, 1, 2, 3)))]
    return Text("".join(line + ("\n" if len(lines) > 1 else "") for line in lines))


def _line(context: DrawContext) -> str:
    node = Textual().draw(context)
    assert isinstance(node, Text)
    drawn = str(node.value).encode("utf-8", "ignore").decode()
    return drawn.replace("\0", "").replace("\r", "")[:_LONGEST]


def _octets(context: DrawContext) -> Node:
    drawn = text(context)
    assert isinstance(drawn, Text)
    return Text(str(drawn.value).encode())


def _status(context: DrawContext) -> Node:
    return Atom(str(context.rng.choice(_STATUS)))


def _completed(make: Draw) -> Draw:
    def draw(context: DrawContext) -> Node:
        arguments = (Display("[", (Text("program"),)), _status(context), make(context), make(context))
        return Call(Ref("subprocess", "CompletedProcess"), arguments)

    return draw


def _status_and_output(context: DrawContext) -> Node:
    return Display("(", (_status(context), text(context)))


def _moment(context: DrawContext) -> Node:
    days = context.rng.choice((0, 0, 1, 7, 31, 365))
    return Atom(f"{context.rng.choice((0, _WORLDLY)) + days * 86_400 + context.rng.randrange(3600)}.0")


def _one_of(*nodes: Node) -> Draw:
    return lambda context: context.rng.choice(nodes)


def _texts(*words: str) -> Draw:
    return _one_of(*map(Text, words))


AS_TEXT = " as text"
"""Of functions that give bytes, unless their arguments ask for texts."""
PLATFORM = "sys.platform"
"""No function, and set all the same."""
ANSWERS: dict[str, Draw] = {
    "subprocess.run": _completed(_octets),
    "subprocess.run" + AS_TEXT: _completed(text),
    "subprocess.call": _status,
    "subprocess.check_call": _one_of(Atom("0")),
    "subprocess.check_output": _octets,
    "subprocess.check_output" + AS_TEXT: text,
    "subprocess.getoutput": text,
    "subprocess.getstatusoutput": _status_and_output,
    "posix.system": lambda context: Atom(str(256 * context.rng.choice(_STATUS))),
    "posix.getpid": _one_of(Atom("4711")),
    "posix.isatty": _one_of(Atom("True"), Atom("False")),
    "shutil.which": _one_of(Atom("None"), Text("/usr/bin/program")),
    "socket.gethostname": _texts("localhost", "host.example.org"),
    "_socket.gethostname": _texts("localhost", "host.example.org"),
    "_socket.gethostbyname": _texts("192.0.2.1", "127.0.0.1"),
    "platform.system": _texts("Linux", "Windows", "Darwin", "Java", ""),
    "platform.machine": _texts("x86_64", "aarch64", "arm64", "i686", ""),
    "platform.release": _texts("6.1.0", "10", ""),
    "platform.python_implementation": _texts("CPython", "PyPy", "Jython"),
    "platform.mac_ver": _one_of(
        Display("(", (Text("14.1"), Display("(", (Text(""),) * 3), Text("arm64"))),
        Display("(", (Text(""), Display("(", (Text(""),) * 3), Text(""))),
    ),
    "getpass.getpass": text,
    "getpass.getuser": _texts("ada", "root"),
    "builtins.input": text,
    "time.time": _moment,
    "time.monotonic": _moment,
    "time.perf_counter": _moment,
    PLATFORM: _texts("linux", "win32", "darwin", "cygwin", "java"),
    "sys.settrace": _one_of(NOTHING),
    "sys.setprofile": _one_of(NOTHING),
    "threading.settrace": _one_of(NOTHING),
    "threading.setprofile": _one_of(NOTHING),
    "time.sleep": _one_of(Atom("None")),
}
_NUMBERS: dict[type[BaseException], int] = {
    OSError: errno.EIO,
    FileNotFoundError: errno.ENOENT,
    FileExistsError: errno.EEXIST,
    PermissionError: errno.EACCES,
    NotADirectoryError: errno.ENOTDIR,
    IsADirectoryError: errno.EISDIR,
    ConnectionRefusedError: errno.ECONNREFUSED,
    ConnectionResetError: errno.ECONNRESET,
    BlockingIOError: errno.EAGAIN,
    BrokenPipeError: errno.EPIPE,
    ProcessLookupError: errno.ESRCH,
    InterruptedError: errno.EINTR,
}


def error_node(kind: type[Exception]) -> Node | None:
    """An exception of that class, as the operating system would raise it where it does; None where it cannot
    be made, or no test can name it."""
    ref = importable(kind)
    if ref is None:
        return None
    if kind in _NUMBERS:
        number = _NUMBERS[kind]
        return Call(ref, (Atom(str(number)), Text(os.strerror(number))))
    if kind is socket.gaierror:
        return Call(ref, (Atom(str(socket.EAI_NONAME)), Text("Name or service not known")))
    if kind is subprocess.CalledProcessError:
        return Call(ref, (Atom("1"), Text("program")))
    if kind is subprocess.TimeoutExpired:
        return Call(ref, (Text("program"), Atom("1")))
    if kind is Exception:
        return Call(ref, (Text("refused"),))
    try:
        kind()
    except Exception:
        return None
    return ref


def may_raise(found: Any, kind: type[Exception], own: str) -> bool:
    """May that function of another module than `own` raise it, for a reason that lies outside?

    Of the standard library those that reach outside, and what the operating system raises: what the others
    raise, their arguments bring about. Of functions of anybody else nothing is known but the handler.
    """
    module = getattr(found, "__module__", None)
    if not isinstance(found, FunctionType | BuiltinFunctionType) or not isinstance(module, str):
        return False
    if module.partition(".")[0] in sys.stdlib_module_names:
        if module in ("pwd", "grp") and kind is KeyError:
            return True
        known = f"{module}.{found.__qualname__}" in _FUNCTIONS
        return known and (issubclass(kind, _OF_OUTSIDE) or kind is Exception)
    return module != own and not issubclass(kind, _OF_TYPES)
