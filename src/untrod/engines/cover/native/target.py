"""What a person named: a C program, how it is built, and which of its input may change."""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.core.reading import is_regular
from untrod.core.shapes import anything, record, text, texts
from untrod.core.vocabulary import Json
from untrod.symbolic.native.fields import Fields

_TARGET = record(
    {
        **{name: text() for name in ("source", "binary", "coverage_binary")},
        **{name: texts() for name in ("also", "flags")},
        "fields": anything,
    }
)
_ARGUMENTS = re.compile(r"(?:(\d{1,4})x)?(\d{1,4})", re.ASCII)  # `Fields` says what is too much


@dataclass(frozen=True)
class NativeTarget:
    """Paths are as they were given, from the project's folder. `binary` and `coverage_binary` are programs
    that a person has built; `source` then only says whose branches count."""

    source: str
    fields: Fields
    also: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    binary: str = ""
    coverage_binary: str = ""

    @property
    def name(self) -> str:
        return Path(self.source).name

    @property
    def entry(self) -> str:
        return f"{self.name}:main"

    def to_json(self) -> dict[str, Json]:
        return {
            "source": self.source,
            "fields": self.fields.to_json(),
            "also": list(self.also),
            "flags": list(self.flags),
            "binary": self.binary,
            "coverage_binary": self.coverage_binary,
        }

    @classmethod
    def from_json(cls, body: Json) -> NativeTarget:
        _TARGET(body, "a program")
        return cls(
            body["source"],
            Fields.from_json(body["fields"]),
            tuple(body["also"]),
            tuple(body["flags"]),
            body["binary"],
            body["coverage_binary"],
        )


@dataclass(frozen=True, slots=True)
class Options:
    """The words of the command line that only make sense for a C program."""

    args: str = ""
    arg: tuple[str, ...] = ()
    stdin: int = 0
    file: tuple[str, ...] = ()
    cc_flags: str = ""
    binary: str = ""
    coverage_binary: str = ""
    also: tuple[str, ...] = field(default=())

    @property
    def given(self) -> str:
        """One that was given, as it is spelled; empty if none was."""
        named = {
            "--args": self.args,
            "--arg": self.arg,
            "--stdin": self.stdin,
            "--file": self.file,
            "--cc-flags": self.cc_flags,
            "--binary": self.binary,
            "--coverage-binary": self.coverage_binary,
        }
        return next((flag for flag, value in named.items() if value), "")


def is_native(target: str) -> bool:
    return target.endswith(".c")


def parse_target(source: str, options: Options, project: Path) -> NativeTarget:
    """Raises UntrodError for what a person can mend."""
    for path in (source, *options.also, options.binary, options.coverage_binary):
        if path and not is_regular(project / path):
            raise UntrodError(f"there is no file {path}", "name a C source, or a program")
    if bool(options.binary) != bool(options.coverage_binary):
        raise UntrodError(
            "a program of yours is needed twice", "give --binary and --coverage-binary, or neither"
        )
    if len({Path(path).name for path in (source, *options.also)}) <= len(options.also):
        raise UntrodError("two of the sources have the same name", "coverage is told by name: rename one")
    fields = Fields(
        _arguments(options.args),
        options.stdin,
        tuple(_file(text) for text in options.file),
        tuple(map(os.fsencode, options.arg)),
    )
    return NativeTarget(
        _from(project, source),
        fields,
        tuple(_from(project, path) for path in options.also),
        _flags(options.cc_flags),
        _from(project, options.binary),
        _from(project, options.coverage_binary),
    )


def _from(project: Path, path: str) -> str:
    """So that the tests find it wherever the project lies."""
    return os.path.relpath(path, project) if os.path.isabs(path) else path


def _flags(text: str) -> tuple[str, ...]:
    """As a shell would split them."""
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise UntrodError(f"--cc-flags {text!r}: {str(error).lower()}", "check its quotes") from error


def _arguments(text: str) -> tuple[int, ...]:
    """`2x6`: two of six bytes; `2x6,3`: and one of three."""
    sizes: list[int] = []
    for part in filter(None, text.split(",")):
        found = _ARGUMENTS.fullmatch(part)
        if found is None:
            raise UntrodError(
                f"--args {text!r} is no number of arguments and bytes", "for instance --args 2x6"
            )
        sizes += [int(found[2])] * int(found[1] or 1)
    return tuple(sizes)


def _file(text: str) -> tuple[str, int]:
    name, equals, size = text.partition("=")
    if not equals or not re.fullmatch(r"[0-9]{1,4}", size) or not name or "/" in name or name in (".", ".."):
        raise UntrodError(
            f"--file {text!r} is no name and size", "for instance --file data.bin=16, without a folder"
        )
    return name, int(size)
