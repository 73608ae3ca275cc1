"""The files that an emulated program sees: its input, what it writes, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

Symbol = Any
"""What a symbolic byte is: the number of a byte of the input, or what the memory handed over with it."""
MOST_OPEN = 1024


@dataclass
class Content:
    """A file. `symbols` are its symbolic bytes by offset, `source` the field of the input it comes from."""

    data: bytearray
    symbols: dict[int, Symbol] = field(default_factory=dict)
    pipe: bool = False
    source: int | None = None

    def fill(self, data: bytes, first: int) -> None:
        """With bytes of the input, from number `first` on."""
        self.data[:] = data
        self.symbols = dict(enumerate(range(first, first + len(data))))

    def take(self, at: int, size: int) -> tuple[bytes, dict[int, Symbol]]:
        data = bytes(self.data[at : at + size])
        known = self.symbols
        if not known:
            return data, {}
        return data, {place: known[at + place] for place in range(len(data)) if at + place in known}

    def put(self, at: int, data: bytes, symbols: Mapping[int, Symbol]) -> None:
        if at > len(self.data):
            self.resize(at)
        self.data[at : at + len(data)] = data
        if self.symbols:
            for place in range(at, at + len(data)):
                self.symbols.pop(place, None)
        for place, symbol in symbols.items():
            self.symbols[at + place] = symbol

    def resize(self, size: int) -> None:
        self.data[size:] = bytes(max(0, size - len(self.data)))
        self.symbols = {place: symbol for place, symbol in self.symbols.items() if place < size}


@dataclass
class Open:
    content: Content
    reads: bool = True
    writes: bool = True
    append: bool = False
    at: int = 0


@dataclass
class Files:
    """Descriptors and names. `copy` is what a snapshot keeps."""

    named: dict[str, Content]
    stdout: Content
    """Also after it was closed."""
    open: dict[int, Open] = field(default_factory=dict)
    written: int = 0

    def copy(self) -> Files:
        contents: dict[int, Content] = {}
        opened: dict[int, Open] = {}

        def same(content: Content) -> Content:
            found = contents.get(id(content))
            if found is None:
                found = contents[id(content)] = replace(
                    content, data=bytearray(content.data), symbols=dict(content.symbols)
                )
            return found

        def same_open(one: Open) -> Open:
            """Copies of a descriptor share where they are in the file."""
            return opened.setdefault(id(one), replace(one, content=same(one.content)))

        named = {name: same(content) for name, content in self.named.items()}
        descriptors = {number: same_open(one) for number, one in self.open.items()}
        return Files(named, same(self.stdout), descriptors, self.written)

    def contents(self) -> Iterator[Content]:
        yield from self.named.values()
        for one in self.open.values():
            yield one.content

    def add(self, opened: Open, lowest: int = 0) -> int | None:
        """Its number; None: there are too many."""
        number = lowest
        while number in self.open:
            number += 1
        if number >= MOST_OPEN:
            return None
        self.open[number] = opened
        return number
