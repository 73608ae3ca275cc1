"""A text that cannot be read: the place of the mistake, with a caret below it, and what to write instead."""

from __future__ import annotations

import re
from bisect import bisect_right

from untrod.core.errors import UntrodError


class Misread(UntrodError):
    """`line` and `column` count from 1. Its text shows the line, with a caret below the place."""

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
