"""The system calls on files, as Linux answers them."""

from __future__ import annotations

import errno
import struct
from collections.abc import Callable

from untrod.symbolic.native.fields import Fields, Values
from untrod.symbolic.native.files import MOST_OPEN, Content, Files, Open
from untrod.symbolic.native.layout import EPOCH, USER
from untrod.symbolic.native.memory import Arguments, Fault, Memory, Refused, TooMuch

MOST_OUTPUT = 1 << 20
"""Bytes that a program may write on one path, all files together, and the size of a file."""
USER_SPACE = (1 << 47) - 4096
_PIPE, _REGULAR = 0o010600, 0o100644
_READ_ONLY, _WRITE_ONLY, _MODES = 0, 1, 3
_CREATE, _EXCLUSIVE, _TRUNCATE, _APPEND = 0o100, 0o200, 0o1000, 0o2000
_LONGEST_PATH = 4096
_MOST_PARTS, _MOST_AT_ONCE = 1024, 0x7FFF_F000
_CHUNK = 4096


class FileCalls:
    files: Files
    first_look: Callable[[], None] | None = None
    """Called before the program learns anything of what is in standard input or a file of the input."""

    def _begin_files(self, fields: Fields, values: Values) -> None:
        place = fields.stdin_place
        stdin = Content(bytearray(), pipe=True, source=place)
        stdout, stderr = Content(bytearray(), pipe=True), Content(bytearray(), pipe=True)
        named = {
            name: Content(bytearray(), source=place + 1 + number)
            for number, (name, _) in enumerate(fields.files)
        }
        self.files = Files(named, stdout)
        self.files.add(Open(stdin, writes=False))
        for content in (stdout, stderr):
            self.files.add(Open(content, reads=False))
        self._fill(fields, values)

    def _fill(self, fields: Fields, values: Values) -> None:
        """Put the input into the files. Only while the program has not read any of it."""
        for content in self.files.contents():
            if content.source is not None:
                content.fill(values[content.source], fields.starts[content.source])

    # -- reading and writing ----------------------------------------------------------------------

    def _read(self, arguments: Arguments, memory: Memory) -> int:
        return self._take(self._opened(arguments[0], "reads"), [_part(*arguments[1:3])], memory)

    def _readv(self, arguments: Arguments, memory: Memory) -> int:
        return self._take(self._opened(arguments[0], "reads"), _vector(arguments, memory), memory)

    def _pread64(self, arguments: Arguments, memory: Memory) -> int:
        opened = self._seekable(arguments, "reads")
        parts = [_part(*arguments[1:3])]
        return self._take(Open(opened.content, at=arguments[3]), parts, memory)

    def _take(self, opened: Open, parts: list[tuple[int, int]], memory: Memory) -> int:
        total, content, before = 0, opened.content, opened.at
        if any(size for _, size in parts):
            self._look(content)
        for address, size in parts:
            data, symbols = content.take(opened.at, size)
            try:
                memory.write(address, data, symbols)
            except Fault:
                if not total or content.pipe:  # what was in a pipe stays there
                    opened.at = before
                    raise
                break
            opened.at += len(data)
            total += len(data)
            if len(data) < size:
                break
        return total

    def _write(self, arguments: Arguments, memory: Memory) -> int:
        return self._put(self._opened(arguments[0], "writes"), [_part(*arguments[1:3])], memory)

    def _writev(self, arguments: Arguments, memory: Memory) -> int:
        return self._put(self._opened(arguments[0], "writes"), _vector(arguments, memory), memory)

    def _pwrite64(self, arguments: Arguments, memory: Memory) -> int:
        opened = self._seekable(arguments, "writes")
        there = Open(opened.content, append=opened.append, at=arguments[3])
        return self._put(there, [_part(*arguments[1:3])], memory)

    def _put(self, opened: Open, parts: list[tuple[int, int]], memory: Memory) -> int:
        total, content = 0, opened.content
        if any(size for _, size in parts):
            self._look(content)
        for address, size in parts:
            data = _readable(address, size, memory)
            at = len(content.data) if opened.append or content.pipe else opened.at
            self._charge(at + len(data), len(data))
            content.put(at, data, {} if content.pipe or not data else memory.symbols(address, len(data)))
            opened.at = at + len(data)
            total += len(data)
            if len(data) < size:
                if not total:
                    raise Fault
                break
        return total

    def _charge(self, end: int, written: int) -> None:
        self.files.written += written
        if end > MOST_OUTPUT or self.files.written > MOST_OUTPUT:
            raise TooMuch("output")

    def _ftruncate(self, arguments: Arguments, memory: Memory) -> int:
        size = _offset(arguments[1])
        opened = self._opened(arguments[0])
        if opened.content.pipe or not opened.writes:
            raise Refused(errno.EINVAL)
        return self._resize(opened.content, size)

    def _truncate(self, arguments: Arguments, memory: Memory) -> int:
        size = _offset(arguments[1])
        return self._resize(self._existing(arguments[0], memory), size)

    def _resize(self, content: Content, size: int) -> int:
        self._look(content)
        self._charge(size, max(0, size - len(content.data)))
        content.resize(size)
        return 0

    def _lseek(self, arguments: Arguments, memory: Memory) -> int:
        opened, offset, whence = self._opened(arguments[0]), signed(arguments[1]), arguments[2] & 0xFFFFFFFF
        if whence > 4:
            raise Refused(errno.EINVAL)
        if opened.content.pipe:
            raise Refused(errno.ESPIPE)
        self._look(opened.content)
        size = len(opened.content.data)
        if whence > 2:  # SEEK_DATA, SEEK_HOLE: there are no holes
            if not 0 <= offset < size:
                raise Refused(errno.ENXIO)
            at = offset if whence == 3 else size
        else:
            at = (0, opened.at, size)[whence] + offset
        if not 0 <= at < 1 << 63:
            raise Refused(errno.EINVAL)
        opened.at = at
        return at

    # -- descriptors ------------------------------------------------------------------------------

    def _opened(self, descriptor: int, way: str = "") -> Open:
        """The open file. Refused unless it was opened for `way`: `reads`, `writes`, or either when empty."""
        opened = self.files.open.get(descriptor & 0xFFFFFFFF)
        if opened is None or (way and not getattr(opened, way)):
            raise Refused(errno.EBADF)
        return opened

    def _seekable(self, arguments: Arguments, way: str) -> Open:
        _offset(arguments[3])
        opened = self._opened(arguments[0])
        if opened.content.pipe:
            raise Refused(errno.ESPIPE)
        return self._opened(arguments[0], way)

    def _look(self, content: Content) -> None:
        if content.source is not None and self.first_look is not None:
            self.first_look()

    def _add(self, opened: Open, lowest: int = 0) -> int:
        number = self.files.add(opened, lowest)
        if number is None:
            raise Refused(errno.EMFILE)
        return number

    def _close(self, arguments: Arguments, memory: Memory) -> int:
        self._opened(arguments[0])
        del self.files.open[arguments[0] & 0xFFFFFFFF]
        return 0

    def _ioctl(self, arguments: Arguments, memory: Memory) -> int:
        self._opened(arguments[0])
        raise Refused(errno.ENOTTY)

    def _dup(self, arguments: Arguments, memory: Memory) -> int:
        return self._add(self._opened(arguments[0]))

    def _dup2(self, arguments: Arguments, memory: Memory) -> int:
        opened, number = self._opened(arguments[0]), arguments[1] & 0xFFFFFFFF
        if number >= MOST_OPEN:
            raise Refused(errno.EBADF)
        self.files.open[number] = opened
        return number

    def _fcntl(self, arguments: Arguments, memory: Memory) -> int:
        opened, command, lowest = self._opened(arguments[0]), arguments[1] & 0xFFFFFFFF, arguments[2]
        if command in (0, 1030):  # F_DUPFD, F_DUPFD_CLOEXEC
            if lowest >= MOST_OPEN:
                raise Refused(errno.EINVAL)
            return self._add(opened, lowest)
        if command != 3:  # F_GETFL
            return 0
        mode = 2 if opened.reads and opened.writes else int(opened.writes)
        return mode | _APPEND if opened.append else mode

    # -- names ------------------------------------------------------------------------------------

    def _open(self, arguments: Arguments, memory: Memory) -> int:
        flags = arguments[1]
        name, content = self._find(arguments[0], memory)
        if content is None:
            if not flags & _CREATE or not name:
                raise Refused(errno.ENOENT)
            memory.fixed(arguments[0], len(name) + 1)
            content = self.files.named[name] = Content(bytearray())
        elif flags & _CREATE and flags & _EXCLUSIVE:
            raise Refused(errno.EEXIST)
        mode = flags & _MODES
        opened = Open(content, mode != _WRITE_ONLY, mode != _READ_ONLY, bool(flags & _APPEND))
        number = self._add(opened)
        if flags & _TRUNCATE:
            self._look(content)
            content.resize(0)
        return number

    def _openat(self, arguments: Arguments, memory: Memory) -> int:
        return self._open(arguments[1:], memory)

    def _find(self, address: int, memory: Memory) -> tuple[str, Content | None]:
        text = _text(address, memory)
        if memory.symbols(address, len(text) + 1):
            known = [name.encode("latin-1") for name in self.files.named]
            spelled = [prefix + name + b"\0" for name in known for prefix in (b"", b"./")]
            memory.compare(address, [*spelled, b"/dev/null\0", b"\0"])
        if text == "/dev/null":
            return text, Content(bytearray())
        name = text.removeprefix("./")
        return name, self.files.named.get(name)

    def _existing(self, address: int, memory: Memory) -> Content:
        content = self._find(address, memory)[1]
        if content is None:
            raise Refused(errno.ENOENT)
        return content

    def _fstat(self, arguments: Arguments, memory: Memory) -> int:
        return self._status(self._opened(arguments[0]).content, arguments[1], memory)

    def _stat(self, arguments: Arguments, memory: Memory) -> int:
        return self._status(self._existing(arguments[0], memory), arguments[1], memory)

    _lstat = _stat

    def _newfstatat(self, arguments: Arguments, memory: Memory) -> int:
        name, content = self._find(arguments[1], memory)
        if not name:
            return self._fstat((arguments[0], arguments[2]), memory)
        if content is None:
            raise Refused(errno.ENOENT)
        return self._status(content, arguments[2], memory)

    def _status(self, content: Content, address: int, memory: Memory) -> int:
        if not content.pipe:
            self._look(content)
        mode, size = (_PIPE, 0) if content.pipe else (_REGULAR, len(content.data))
        memory.write(
            address,
            struct.pack("<QQQIIIIQqqq", 1, 1, 1, mode, USER, USER, 0, 0, size, 4096, (size + 511) // 512)
            + struct.pack("<QQQQQQ", EPOCH, 0, EPOCH, 0, EPOCH, 0)
            + bytes(24),
        )
        return 0

    def _access(self, arguments: Arguments, memory: Memory) -> int:
        self._existing(arguments[0], memory)
        return 0

    def _unlink(self, arguments: Arguments, memory: Memory) -> int:
        name, content = self._find(arguments[0], memory)
        if content is None or name not in self.files.named:
            raise Refused(errno.ENOENT)
        del self.files.named[name]
        return 0

    def _rename(self, arguments: Arguments, memory: Memory) -> int:
        name, content = self._find(arguments[0], memory)
        if content is None or name not in self.files.named:
            raise Refused(errno.ENOENT)
        other = _text(arguments[1], memory)
        memory.fixed(arguments[1], len(other) + 1)
        self.files.named[other.removeprefix("./")] = self.files.named.pop(name)
        return 0


def signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def _offset(value: int) -> int:
    if value >> 63:
        raise Refused(errno.EINVAL)
    return value


def _part(address: int, size: int) -> tuple[int, int]:
    if address + size > USER_SPACE:
        raise Refused(errno.EFAULT)
    return address, size


def _vector(arguments: Arguments, memory: Memory) -> list[tuple[int, int]]:
    if arguments[2] > _MOST_PARTS:
        raise Refused(errno.EINVAL)
    raw = memory.fixed(arguments[1], 16 * arguments[2]) if arguments[2] else b""
    parts = list(struct.iter_unpack("<QQ", raw))
    if any(size >> 63 for _, size in parts):
        raise Refused(errno.EINVAL)
    left, made = _MOST_AT_ONCE, []
    for address, size in parts:
        made.append(_part(address, min(size, left)))
        left -= made[-1][1]
    return made


def _readable(address: int, size: int, memory: Memory) -> bytes:
    """What is there of it, and no more than is too much."""
    wanted = min(size, MOST_OUTPUT + 1)
    try:
        return memory.read(address, wanted) if wanted else b""
    except Fault:
        found = bytearray()
    while len(found) < wanted:
        try:
            found += memory.read(address + len(found), min(_CHUNK, wanted - len(found)))
        except Fault:
            break
    return bytes(found)


def _text(address: int, memory: Memory) -> str:
    found = bytearray()
    while len(found) < _LONGEST_PATH:
        byte = memory.read(address + len(found), 1)
        if byte == b"\0":
            return found.decode("latin-1")
        found += byte
    raise Refused(errno.ENAMETOOLONG)
