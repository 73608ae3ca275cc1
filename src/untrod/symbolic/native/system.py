"""The operating system of an emulated program, in memory: no file, process or network of the host is touched.

What a small static program asks for is answered as a kernel would. What is not known is counted by name and
answered with ENOSYS: the program then does what it does on a system without it. Time stands still, and chance
always throws the same, so that a path can be walked again.
"""

from __future__ import annotations

import errno
import signal
import struct
from collections import Counter
from collections.abc import Callable
from typing import Protocol

from untrod.symbolic.native.elf import PAGE
from untrod.symbolic.native.fields import Fields, Values
from untrod.symbolic.native.files import Content, Files, Open
from untrod.symbolic.native.layout import HEAP, HEAP_SIZE, MAPS, MAPS_SIZE, USER
from untrod.symbolic.native.syscalls import NAMES

MOST_OUTPUT = 1 << 20
_EPOCH = 1_000_000_000
_PIPE, _REGULAR = 0o010600, 0o100644
_CREATE, _TRUNCATE, _APPEND = 0o100, 0o1000, 0o2000
_ANONYMOUS = 0x20
_LONGEST_PATH = 4096


class Memory(Protocol):
    """What the system needs of the machine. Both raise `Fault` where nothing is mapped."""

    def read(self, address: int, size: int) -> bytes: ...

    def write(self, address: int, data: bytes, first: int | None = None) -> None:
        """`first` is the number of the first byte if they are symbolic."""
        ...


class Fault(Exception):
    """An address that is not there."""


class Ended(Exception):
    """The program has ended: by `status`, or by the signal `-status` when negative."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class System:
    """`unknown` counts by name, over all paths, what was asked for and is not there."""

    def __init__(self, fields: Fields) -> None:
        self._fields = fields
        self.unknown: Counter[str] = Counter()
        self.begin(fields.blank())

    def begin(self, values: Values) -> None:
        """Before the program's first instruction."""
        fields = self._fields
        place = fields.stdin_place
        stdin = Content(bytearray(values[place]), fields.starts[place], pipe=True)
        named = {
            name: Content(bytearray(values[place + 1 + number]), fields.starts[place + 1 + number])
            for number, (name, _) in enumerate(fields.files)
        }
        stdout, stderr = Content(bytearray(), pipe=True), Content(bytearray(), pipe=True)
        self.files = Files(named, stdout)
        for content in (stdin, stdout, stderr):
            self.files.add(Open(content))
        self._top, self._next = HEAP, MAPS

    def snapshot(self) -> Callable[[Values], None]:
        """A function that goes back to now, with other values in what was not read yet."""
        files, top, following = self.files.copy(), self._top, self._next
        place = self._fields.stdin_place

        def restore(values: Values) -> None:
            self.files, self._top, self._next = files.copy(), top, following
            for opened in self.files.open.values():
                if opened.content.first == self._fields.starts[place] and opened.content.pipe:
                    opened.content.data[:] = values[place]
            for number, (name, _) in enumerate(self._fields.files):
                self.files.named[name].data[:] = values[place + 1 + number]

        return restore

    @property
    def output(self) -> bytes:
        return bytes(self.files.stdout.data)

    def call(self, number: int, arguments: tuple[int, ...], memory: Memory) -> int:
        """What ends up in RAX. Raises Ended."""
        name = NAMES.get(number, f"syscall {number}")
        answer = _ANSWERS.get(name)
        if answer is not None:
            return answer
        method = getattr(self, f"_{name}", None)
        if method is None:
            self.unknown[name] += 1
            return -errno.ENOSYS
        try:
            return int(method(arguments, memory))
        except Fault:
            return -errno.EFAULT

    # -- the end ----------------------------------------------------------------------------------

    def _exit(self, arguments: tuple[int, ...], memory: Memory) -> int:
        raise Ended(arguments[0] & 255)

    _exit_group = _exit

    def _kill(self, arguments: tuple[int, ...], memory: Memory) -> int:
        return self._raise(arguments[1])

    _tkill = _kill

    def _tgkill(self, arguments: tuple[int, ...], memory: Memory) -> int:
        return self._raise(arguments[2])

    def _raise(self, number: int) -> int:
        if number in (0, signal.SIGCHLD, signal.SIGURG, signal.SIGWINCH, signal.SIGCONT):
            return 0
        raise Ended(-(number & 127))

    # -- files ------------------------------------------------------------------------------------

    def _read(self, arguments: tuple[int, ...], memory: Memory) -> int:
        return self._take(arguments[0], [(arguments[1], arguments[2])], memory)

    def _readv(self, arguments: tuple[int, ...], memory: Memory) -> int:
        return self._take(arguments[0], _vector(arguments, memory), memory)

    def _pread64(self, arguments: tuple[int, ...], memory: Memory) -> int:
        opened = self.files.open.get(arguments[0])
        if opened is None or opened.content.pipe:
            return -errno.EBADF if opened is None else -errno.ESPIPE
        before, opened.at = opened.at, arguments[3]
        count = self._take(arguments[0], [(arguments[1], arguments[2])], memory)
        opened.at = before
        return count

    def _take(self, descriptor: int, parts: list[tuple[int, int]], memory: Memory) -> int:
        opened = self.files.open.get(descriptor)
        if opened is None:
            return -errno.EBADF
        total, content = 0, opened.content
        for address, size in parts:
            data = bytes(content.data[opened.at : opened.at + size])
            if data:
                memory.write(address, data, None if content.first is None else content.first + opened.at)
            opened.at += len(data)
            total += len(data)
            if len(data) < size:
                break
        return total

    def _write(self, arguments: tuple[int, ...], memory: Memory) -> int:
        return self._put(arguments[0], [(arguments[1], arguments[2])], memory)

    def _writev(self, arguments: tuple[int, ...], memory: Memory) -> int:
        return self._put(arguments[0], _vector(arguments, memory), memory)

    def _put(self, descriptor: int, parts: list[tuple[int, int]], memory: Memory) -> int:
        opened = self.files.open.get(descriptor)
        if opened is None:
            return -errno.EBADF
        total = 0
        for address, size in parts:
            data = memory.read(address, size) if size else b""
            at = len(opened.content.data) if opened.append or opened.content.pipe else opened.at
            if at + size > MOST_OUTPUT:
                return total or -errno.EFBIG
            opened.content.data[at : at + size] = data
            opened.at = at + size
            total += size
        return total

    def _open(self, arguments: tuple[int, ...], memory: Memory) -> int:
        path, flags = _text(arguments[0], memory), arguments[1]
        content = self.files.named.get(path.removeprefix("./"))
        if path == "/dev/null":
            content = Content(bytearray())
        if content is None:
            if not flags & _CREATE:
                return -errno.ENOENT
            content = self.files.named[path.removeprefix("./")] = Content(bytearray())
        if flags & _TRUNCATE:
            content.data.clear()
        return self.files.add(Open(content, append=bool(flags & _APPEND), path=path))

    def _openat(self, arguments: tuple[int, ...], memory: Memory) -> int:
        return self._open(arguments[1:], memory)

    def _close(self, arguments: tuple[int, ...], memory: Memory) -> int:
        return 0 if self.files.open.pop(arguments[0], None) else -errno.EBADF

    def _lseek(self, arguments: tuple[int, ...], memory: Memory) -> int:
        opened = self.files.open.get(arguments[0])
        if opened is None:
            return -errno.EBADF
        if opened.content.pipe:
            return -errno.ESPIPE
        starts = {0: 0, 1: opened.at, 2: len(opened.content.data)}
        at = starts.get(arguments[2], -1) + _signed(arguments[1])
        if arguments[2] not in starts or at < 0:
            return -errno.EINVAL
        opened.at = at
        return at

    def _fstat(self, arguments: tuple[int, ...], memory: Memory) -> int:
        opened = self.files.open.get(arguments[0])
        return -errno.EBADF if opened is None else _status(opened.content, arguments[1], memory)

    def _stat(self, arguments: tuple[int, ...], memory: Memory) -> int:
        content = self.files.named.get(_text(arguments[0], memory).removeprefix("./"))
        return -errno.ENOENT if content is None else _status(content, arguments[1], memory)

    _lstat = _stat

    def _newfstatat(self, arguments: tuple[int, ...], memory: Memory) -> int:
        if not _text(arguments[1], memory):
            return self._fstat((arguments[0], arguments[2]), memory)
        return self._stat(arguments[1:], memory)

    def _access(self, arguments: tuple[int, ...], memory: Memory) -> int:
        return 0 if _text(arguments[0], memory).removeprefix("./") in self.files.named else -errno.ENOENT

    def _unlink(self, arguments: tuple[int, ...], memory: Memory) -> int:
        name = _text(arguments[0], memory).removeprefix("./")
        return 0 if self.files.named.pop(name, None) is not None else -errno.ENOENT

    def _ioctl(self, arguments: tuple[int, ...], memory: Memory) -> int:
        return -errno.ENOTTY if arguments[0] in self.files.open else -errno.EBADF

    def _dup(self, arguments: tuple[int, ...], memory: Memory) -> int:
        opened = self.files.open.get(arguments[0])
        return -errno.EBADF if opened is None else self.files.add(opened)

    def _dup2(self, arguments: tuple[int, ...], memory: Memory) -> int:
        opened = self.files.open.get(arguments[0])
        if opened is None:
            return -errno.EBADF
        self.files.open[arguments[1]] = opened
        return arguments[1]

    def _fcntl(self, arguments: tuple[int, ...], memory: Memory) -> int:
        descriptor, command, lowest = arguments[:3]
        opened = self.files.open.get(descriptor)
        if opened is None:
            return -errno.EBADF
        if command in (0, 1030):  # F_DUPFD, F_DUPFD_CLOEXEC
            return self.files.add(opened, lowest)
        return 2 if command == 3 else 0  # F_GETFL: O_RDWR

    # -- memory -----------------------------------------------------------------------------------

    def _brk(self, arguments: tuple[int, ...], memory: Memory) -> int:
        if HEAP <= arguments[0] <= HEAP + HEAP_SIZE:
            self._top = arguments[0]
        return self._top

    def _mmap(self, arguments: tuple[int, ...], memory: Memory) -> int:
        _, size, _, flags, descriptor, offset = arguments
        room = (size + PAGE - 1) & -PAGE
        if not room or self._next + room > MAPS + MAPS_SIZE:
            return -errno.ENOMEM if room else -errno.EINVAL
        address = self._next
        if not flags & _ANONYMOUS:
            opened = self.files.open.get(descriptor)
            if opened is None or opened.content.pipe:
                return -errno.EBADF if opened is None else -errno.ENODEV
            data, first = bytes(opened.content.data[offset : offset + size]), opened.content.first
            memory.write(address, data, None if first is None else first + offset)
        self._next += room + PAGE  # a page that is nobody's
        return address

    # -- what programs like to know ---------------------------------------------------------------

    def _clock_gettime(self, arguments: tuple[int, ...], memory: Memory) -> int:
        memory.write(arguments[1], struct.pack("<QQ", _EPOCH, 0))
        return 0

    def _gettimeofday(self, arguments: tuple[int, ...], memory: Memory) -> int:
        memory.write(arguments[0], struct.pack("<QQ", _EPOCH, 0))
        return 0

    def _getrandom(self, arguments: tuple[int, ...], memory: Memory) -> int:
        size = min(arguments[1], 256)
        memory.write(arguments[0], bytes((7 * place + 1) & 255 for place in range(size)))
        return size

    def _getcwd(self, arguments: tuple[int, ...], memory: Memory) -> int:
        memory.write(arguments[0], b"/work\0")
        return 6

    def _uname(self, arguments: tuple[int, ...], memory: Memory) -> int:
        texts = (b"Linux", b"untrod", b"6.0.0", b"#1", b"x86_64", b"")
        memory.write(arguments[0], b"".join(text.ljust(65, b"\0") for text in texts))
        return 0


_ANSWERS = {
    **dict.fromkeys(("getuid", "geteuid", "getgid", "getegid"), USER),
    **dict.fromkeys(("getpid", "gettid", "set_tid_address", "getpgrp"), 1000),
    "getppid": 1,
    "time": _EPOCH,
    "arch_prctl": 0,  # the machine sets the register
    **dict.fromkeys(
        (
            "munmap",
            "mprotect",
            "madvise",
            "rt_sigaction",
            "rt_sigprocmask",
            "sigaltstack",
            "fadvise64",
            "fsync",
            "nanosleep",
            "clock_nanosleep",
            "sched_yield",
            "umask",
            "set_robust_list",
            "alarm",
            "setitimer",
            "getrlimit",
            "prlimit64",
            "ftruncate",
        ),
        0,
    ),
    **dict.fromkeys(("readlink", "chdir", "mkdir", "rename", "chmod"), -errno.ENOENT),
    **dict.fromkeys(("wait4", "waitid"), -errno.ECHILD),
}


def _vector(arguments: tuple[int, ...], memory: Memory) -> list[tuple[int, int]]:
    raw = memory.read(arguments[1], 16 * min(arguments[2], 1024))
    return list(struct.iter_unpack("<QQ", raw))


def _text(address: int, memory: Memory) -> str:
    found = bytearray()
    while len(found) < _LONGEST_PATH:
        byte = memory.read(address + len(found), 1)
        if byte == b"\0":
            break
        found += byte
    return found.decode("latin-1")


def _status(content: Content, address: int, memory: Memory) -> int:
    mode, size = (_PIPE, 0) if content.pipe else (_REGULAR, len(content.data))
    memory.write(
        address,
        struct.pack("<QQQIIIIQqqq", 1, 1, 1, mode, USER, USER, 0, 0, size, 4096, (size + 511) // 512)
        + struct.pack("<QQQQQQ", _EPOCH, 0, _EPOCH, 0, _EPOCH, 0)
        + bytes(24),
    )
    return 0


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value
