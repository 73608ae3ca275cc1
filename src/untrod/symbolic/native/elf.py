"""The program file: static x86-64 ELF, and nothing else."""

from __future__ import annotations

import struct
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.core.reading import LARGE, read_bytes

PAGE = 4096
READ, WRITE, EXECUTE = 4, 2, 1
"""As ELF has them."""
_STATIC = "build it with musl-gcc -static, or give the .c file"
_X86_64, _EXECUTABLE, _SHARED = 62, 2, 3
_LOAD, _INTERPRETER = 1, 3
_SYMBOLS, _FUNCTION = 2, 2
_PIE_BASE = 0x5555_5000_0000


@dataclass(frozen=True, slots=True)
class Segment:
    address: int
    data: bytes
    """With the zeros that follow what is in the file."""
    flags: int


@dataclass(frozen=True)
class Image:
    """`headers` is where the program headers lie in memory, `count` how many there are."""

    entry: int
    segments: tuple[Segment, ...]
    headers: int
    count: int
    functions: tuple[tuple[int, int, str], ...]
    """Start, size and name, by start; empty where the program was stripped."""

    @cached_property
    def _starts(self) -> list[int]:
        return [start for start, _, _ in self.functions]

    @cached_property
    def _places(self) -> dict[int, tuple[str, int]]:
        return {}

    def function(self, address: int) -> tuple[str, int]:
        """The name of the function at `address`, and how far into it that is."""
        found = self._places.get(address)
        if found is None:
            found = self._places[address] = self._function(address)
        return found

    def _function(self, address: int) -> tuple[str, int]:
        place = bisect_right(self._starts, address) - 1
        if place < 0:
            return "?", address
        start, _, name = self.functions[place]
        return name, address - start


def read_elf(path: Path) -> Image:
    """Raises UntrodError for what cannot be run here."""
    try:
        raw = read_bytes(path, LARGE)
    except OSError as error:
        raise UntrodError(f"cannot read {path}: {error.strerror}", "name a program") from error
    try:
        return _parse(raw, path.name)
    except (struct.error, IndexError, UnicodeDecodeError) as error:
        raise UntrodError(f"{path.name} is a damaged ELF file: {error}", _STATIC) from error


def _parse(raw: bytes, name: str) -> Image:
    if raw[:4] != b"\x7fELF":
        raise UntrodError(f"{name} is not an ELF program", _STATIC)
    if raw[4] != 2 or raw[5] != 1:
        raise UntrodError(f"{name} is not a 64-bit little-endian program", _STATIC)
    kind, machine = struct.unpack_from("<HH", raw, 16)
    if machine != _X86_64:
        raise UntrodError(f"{name} is for another processor (ELF machine {machine}), not x86-64", _STATIC)
    if kind not in (_EXECUTABLE, _SHARED):
        raise UntrodError(f"{name} is an object file, not a program", _STATIC)
    entry, offset, sections = struct.unpack_from("<QQQ", raw, 24)
    size, count, section_size, section_count = struct.unpack_from("<HHHH", raw, 54)
    rows = [struct.unpack_from("<IIQQQQQQ", raw, offset + number * size) for number in range(count)]
    if any(row[0] == _INTERPRETER for row in rows):
        raise UntrodError(f"{name} is linked dynamically: its libraries are not in it", _STATIC)
    base = _PIE_BASE if kind == _SHARED else 0
    segments, headers = [], 0
    for what, flags, start, address, _, filed, whole, _ in rows:
        if what == _LOAD:
            data = raw[start : start + filed].ljust(whole, b"\0")
            segments.append(Segment(base + address, data, flags))
            if start <= offset < start + filed:
                headers = base + address + offset - start
    if not segments or not entry:
        raise UntrodError(f"{name} has nothing to run in it", _STATIC)
    functions = _functions(raw, sections, section_size, section_count, base)
    return Image(base + entry, tuple(segments), headers, count, functions)


def _functions(raw: bytes, table: int, size: int, count: int, base: int) -> tuple[tuple[int, int, str], ...]:
    sections = [struct.unpack_from("<IIQQQQIIQQ", raw, table + number * size) for number in range(count)]
    found: dict[int, tuple[int, str]] = {}
    for _, what, _, _, offset, length, link, _, _, _ in sections:
        if what != _SYMBOLS:
            continue
        strings = sections[link][4]
        for place in range(offset, offset + length, 24):
            name, info, _, _, value, extent = struct.unpack_from("<IBBHQQ", raw, place)
            if info & 15 == _FUNCTION and value and base + value not in found:
                end = raw.index(b"\0", strings + name)
                found[base + value] = (extent, raw[strings + name : end].decode())
    return tuple((start, extent, name) for start, (extent, name) in sorted(found.items()))
