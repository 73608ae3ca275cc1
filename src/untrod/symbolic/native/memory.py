"""What system calls need of the machine, and how they end when they do not just answer."""

from __future__ import annotations

from typing import Protocol

from untrod.symbolic.native.files import Symbol

Arguments = tuple[int, ...]


class Memory(Protocol):
    """What the system needs of the machine. All raise `Fault` where nothing is mapped."""

    def read(self, address: int, size: int) -> bytes: ...

    def fixed(self, address: int, size: int) -> bytes:
        """What is read decides what happens: it stays what it is on this path."""
        ...

    def symbols(self, address: int, size: int) -> dict[int, Symbol]:
        """Of the bytes there, those that are symbolic, by their place."""
        ...

    def compare(self, address: int, texts: list[bytes]) -> None:
        """The program's way depends on whether these bytes are the first of the texts, the second ..."""
        ...

    def write(self, address: int, data: bytes, symbols: dict[int, Symbol] | None = None) -> None: ...


class Fault(Exception):
    """An address that is not there."""


class Refused(Exception):
    """The answer is an error: its number."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class TooMuch(Exception):
    """The path is broken off: says of what there is too much."""
