"""Mistakes that a person can mend: one line that says what is wrong, one that says what to do next."""

from __future__ import annotations

import re
from bisect import bisect_right


class UntrodError(Exception):
    """Shown as a single line, without a traceback; the command line then exits with `status`.

    `hint` completes the sentence "to go on, ...": a command to run or the nearest correct spelling.
    """

    status = 2

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class MissingExtra(UntrodError):
    """A feature needs an optional dependency that is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"{package} is not installed", f"run: pip install 'untrod[{extra}]'")


class Interrupted(UntrodError):
    """Ctrl-C came before there was anything to report."""

    status = 130


class Misread(UntrodError):
    """A text that cannot be read, such as a formula or a program.

    `line` and `column` count from 1. Its text shows the line, with a caret below the place.
    """

    always_names_line = True

    def __init__(self, text: str, position: int, what: str, hint: str) -> None:
        starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self.line = bisect_right(starts, position)
        self.column = position - starts[self.line - 1] + 1
        line = text[starts[self.line - 1] :].partition("\n")[0].replace("\t", " ")
        where = f"column {self.column}"
        if self.always_names_line or len(starts) > 1:
            where = f"line {self.line}, {where}"
        self.caret = f"  {line}\n  {' ' * (self.column - 1)}^"
        super().__init__(f"{where}: {what}", hint)

    def __str__(self) -> str:
        return f"{self.message}\n{self.caret}\n  {self.hint}"
