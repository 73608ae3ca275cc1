"""Where things lie in the memory of an emulated program, and what the kernel puts on its first stack."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from untrod.symbolic.native.elf import PAGE, Image
from untrod.symbolic.native.fields import Fields

STACK_TOP = 0x7FFF_FF00_0000
STACK_SIZE = 0x80_0000
STRINGS = STACK_TOP - 0x1_0000
"""Arguments and environment, above the stack proper."""
HEAP, HEAP_SIZE = 0x1000_0000_0000, 0x400_0000
MAPS, MAPS_SIZE = 0x2000_0000_0000, 0x800_0000
NAME = b"program"
ENVIRONMENT = (b"LC_ALL=C",)
"""All that the program finds, in emulation as in real runs."""
USER = 65534
EPOCH = 1_000_000_000
"""What time it is, always."""
_PHDR, _PHENT, _PHNUM, _PAGESZ, _ENTRY, _SECURE, _RANDOM = 3, 4, 5, 6, 9, 23, 25
_UID, _EUID, _GID, _EGID = 11, 12, 13, 14


@dataclass(frozen=True, slots=True)
class FirstStack:
    """`pointer` is where the stack begins; `arguments` where each symbolic argument lies."""

    pointer: int
    words: bytes
    strings: bytes
    arguments: tuple[int, ...]


def first_stack(image: Image, fields: Fields) -> FirstStack:
    """Symbolic arguments are zeros here: they are written before each run."""
    texts = [NAME, *fields.fixed]
    symbolic = range(len(texts), len(texts) + len(fields.arguments))
    texts += [bytes(size) for size in fields.arguments]
    count = len(texts)
    texts += ENVIRONMENT
    places, strings = [], bytearray()
    for text in texts:
        places.append(STRINGS + len(strings))
        strings += text + b"\0"
    dice = STRINGS + len(strings)
    strings += bytes(range(1, 17))
    auxiliary = [
        (_PHDR, image.headers),
        (_PHENT, 56),
        (_PHNUM, image.count),
        (_PAGESZ, PAGE),
        (_ENTRY, image.entry),
        *((kind, USER) for kind in (_UID, _EUID, _GID, _EGID)),
        (_SECURE, 0),
        (_RANDOM, dice),
        (0, 0),
    ]
    numbers = [count, *places[:count], 0, *places[count:], 0, *(word for pair in auxiliary for word in pair)]
    words = struct.pack(f"<{len(numbers)}Q", *numbers)
    pointer = (STRINGS - len(words)) & ~15
    return FirstStack(pointer, words, bytes(strings), tuple(places[place] for place in symbolic))
