"""What system calls need of the machine, and the exceptions that end them."""

from __future__ import annotations

from typing import Protocol

from untrod.symbolic.native.files import Symbol

Arguments = tuple[int, ...]


class Memory(Protocol):
    """What the system needs of the machine. All raise `Fault` where nothing is mapped."""

    def read(self, address: int, size: int) -> bytes: ...

    def fixed(self, address: int, size: int) -> bytes:
        """Read bytes on which the answer depends: they keep their values on this path."""
        ...

    def symbols(self, address: int, size: int) -> dict[int, Symbol]:
        """The symbolic bytes there, by offset."""
        ...

    def compare(self, address: int, texts: list[bytes]) -> None:
        """The path depends on which of the texts these bytes are: they are compared in order."""
        ...

    def write(self, address: int, data: bytes, symbols: dict[int, Symbol] | None = None) -> None: ...


class Fault(Exception):
    """Nothing is mapped at the address."""


class Refused(Exception):
    """The system call fails with this errno."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class TooMuch(Exception):
    """The path is cut off; the text says which limit was passed."""
