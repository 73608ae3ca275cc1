"""What `re.Match` is for symbolic text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from untrod.symbolic.lean.current import unsupported
from untrod.symbolic.lean.regex.matcher import Groups


class LeanMatch:
    """Positions are plain ints: finding the match has decided them. Texts stay symbolic."""

    __slots__ = ("_groups", "endpos", "pos", "re", "string")

    def __init__(
        self, pattern: re.Pattern[str], string: Any, groups: Groups, bounds: tuple[int, int]
    ) -> None:
        """`groups` has the whole match as number 0, and it was closed last."""
        self.re = pattern
        self.string = string
        self.pos, self.endpos = bounds
        self._groups = groups

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return re.Match

    def group(self, *names: Any) -> Any:
        found = [self._text(self._number(name)) for name in names or (0,)]
        return found[0] if len(found) == 1 else tuple(found)

    def __getitem__(self, name: Any) -> Any:
        return self.group(name)

    def groups(self, default: Any = None) -> tuple[Any, ...]:
        return tuple(self._text(number, default) for number in range(1, self.re.groups + 1))

    def groupdict(self, default: Any = None) -> dict[str, Any]:
        return {name: self._text(number, default) for name, number in self.re.groupindex.items()}

    def span(self, name: Any = 0) -> tuple[int, int]:
        return self._groups.get(self._number(name), (-1, -1))

    def start(self, name: Any = 0) -> int:
        return self.span(name)[0]

    def end(self, name: Any = 0) -> int:
        return self.span(name)[1]

    @property
    def lastindex(self) -> int | None:
        return next((number for number in reversed(list(self._groups)) if number), None)

    @property
    def lastgroup(self) -> str | None:
        last = self.lastindex
        return next((name for name, number in self.re.groupindex.items() if number == last), None)

    def __iter__(self) -> Iterator[Any]:
        raise TypeError("'re.Match' object is not iterable")

    def __getattr__(self, name: str) -> Any:
        if hasattr(re.Match, name):
            unsupported(f"Match.{name} of a symbolic str")
        raise AttributeError(f"'re.Match' object has no attribute {name!r}")

    def _number(self, name: Any) -> int:
        number = self.re.groupindex.get(name) if isinstance(name, str) else name
        if number is None or not 0 <= number <= self.re.groups:
            raise IndexError("no such group")
        return int(number)

    def _text(self, number: int, default: Any = None) -> Any:
        if number not in self._groups:
            return default
        start, end = self._groups[number]
        return self.string[start:end]
