"""Which bytes of a program's input are symbolic: arguments, standard input and files of bounded size.

An input is a tuple of bytes, one for each field: the arguments, then standard input, then the files. An
argument is as long as its field and ends at its first zero byte, as it does for the program. Standard input
and files may be shorter than their fields.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from untrod.core.errors import UntrodError
from untrod.core.shapes import listed, record, row, text, texts, whole
from untrod.core.vocabulary import Json

MOST_BYTES = 4096
_FIELDS = record(
    {
        "arguments": listed(whole(), MOST_BYTES),
        "stdin": whole(),
        "files": listed(row(text(), whole()), MOST_BYTES),
        "fixed": texts(),
    }
)
Values = tuple[bytes, ...]


@dataclass(frozen=True)
class Fields:
    """`fixed` are arguments that come first and never change."""

    arguments: tuple[int, ...] = ()
    stdin: int = 0
    files: tuple[tuple[str, int], ...] = ()
    fixed: tuple[bytes, ...] = ()

    def __post_init__(self) -> None:
        total = sum(self.sizes)
        if not 0 < total <= MOST_BYTES or min(self.sizes) < 0:
            raise UntrodError(
                f"an input of {total} symbolic bytes", f"give 1 to {MOST_BYTES} of them: --args 2x6 --stdin 8"
            )
        if len({name for name, _ in self.files}) < len(self.files):
            raise UntrodError("two symbolic files have the same name", "name each file once")
        if any("/" in name or name in ("", ".", "..") for name, _ in self.files):
            raise UntrodError("a symbolic file has no folder", "give its name alone")
        if any(b"\0" in text for text in self.fixed):
            raise UntrodError("an argument with a zero byte", "no program can be given one")

    @property
    def sizes(self) -> tuple[int, ...]:
        return (*self.arguments, self.stdin, *(size for _, size in self.files))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of the symbolic bytes, all fields one after the other: `arg1[0]`, `stdin[3]`."""
        first = len(self.fixed) + 1
        titles = [f"arg{first + number}" for number in range(len(self.arguments))]
        titles += ["stdin", *(name for name, _ in self.files)]
        return tuple(
            f"{title}[{place}]"
            for title, size in zip(titles, self.sizes, strict=True)
            for place in range(size)
        )

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The number of each field's first byte."""
        found, total = [], 0
        for size in self.sizes:
            found.append(total)
            total += size
        return tuple(found)

    @property
    def stdin_place(self) -> int:
        """Which of the fields standard input is."""
        return len(self.arguments)

    def check(self, values: Sequence[bytes]) -> Values:
        """Raises ValueError for what is no input of this shape. Arguments come out as long as can be."""
        if len(values) != len(self.sizes) or not all(isinstance(value, bytes) for value in values):
            raise ValueError(f"an input has {len(self.sizes)} fields")
        if any(len(value) > size for value, size in zip(values, self.sizes, strict=True)):
            raise ValueError("an input with more bytes than there are")
        arguments = [value.ljust(size, b"\0") for value, size in zip(values, self.arguments, strict=False)]
        return (*arguments, *values[len(self.arguments) :])

    def blank(self) -> Values:
        """Spaces would be arguments like any other; zeros are empty arguments."""
        return tuple(bytes(size) for size in self.sizes)

    def flat(self, values: Values) -> bytearray:
        """Every byte at its number; what a short field lacks is zero."""
        return bytearray(b"".join(v.ljust(s, b"\0") for v, s in zip(values, self.sizes, strict=True)))

    def fields(self, flat: bytes | bytearray, like: Values) -> Values:
        """The other way round; each field has the length that it has in `like`."""
        return tuple(
            bytes(flat[start : start + len(old)]) for start, old in zip(self.starts, like, strict=True)
        )

    def argv(self, values: Values) -> list[bytes]:
        """As a process gets them, without the program's name."""
        shown = [value.split(b"\0", 1)[0] for value in values[: len(self.arguments)]]
        return [*self.fixed, *shown]

    def to_json(self) -> Json:
        return {
            "arguments": list(self.arguments),
            "stdin": self.stdin,
            "files": [list(file) for file in self.files],
            "fixed": [text.decode("latin-1") for text in self.fixed],
        }

    @classmethod
    def from_json(cls, body: Json) -> Fields:
        """Raises Malformed, and UntrodError."""
        _FIELDS(body, "fields")
        return cls(
            tuple(body["arguments"]),
            body["stdin"],
            tuple((name, size) for name, size in body["files"]),
            tuple(text.encode("latin-1") for text in body["fixed"]),
        )
