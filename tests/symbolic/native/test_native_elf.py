from __future__ import annotations

import struct

import pytest

from untrod.core.errors import UntrodError
from untrod.symbolic.native.elf import read_elf

HELLO = "int main(int c, char **v) { return v[c > 1][0]; }"


def test_a_static_program_has_code_and_functions(compiled) -> None:
    image = read_elf(compiled(HELLO))
    names = {name for _, _, name in image.functions}
    assert {"main", "exit"} <= names
    start = next(start for start, _, name in image.functions if name == "main")
    assert image.function(start + 2) == ("main", 2)
    assert any(s.address <= image.entry < s.address + len(s.data) for s in image.segments)


def test_a_static_position_independent_program_is_one_too(compiled) -> None:
    image = read_elf(compiled(HELLO, "-static-pie", "-O1", compiler="gcc"))
    assert image.entry > 1 << 40


def test_a_dynamic_program_is_refused(compiled) -> None:
    with pytest.raises(UntrodError, match=r"linked dynamically.*musl-gcc -static"):
        read_elf(compiled(HELLO, "-O1", compiler="gcc"))


def header(machine: int = 62, kind: int = 2, bits: int = 2) -> bytes:
    return b"\x7fELF" + bytes([bits, 1, 1]) + bytes(9) + struct.pack("<HH", kind, machine) + bytes(44)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"#!/bin/sh\n", "not an ELF program"),
        (b"", "not an ELF program"),
        (header(machine=183), "another processor"),
        (header(bits=1), "not a 64-bit"),
        (header(kind=1), "object file"),
        (header(), "nothing to run"),
        (header()[:40], "damaged"),
    ],
)
def test_what_is_no_such_program_is_told_in_a_line(tmp_path, raw, words) -> None:
    path = tmp_path / "program"
    path.write_bytes(raw)
    with pytest.raises(UntrodError, match=words):
        read_elf(path)


def test_a_program_that_is_not_there(tmp_path) -> None:
    with pytest.raises(UntrodError, match="cannot read"):
        read_elf(tmp_path / "nothing")
