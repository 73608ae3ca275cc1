"""The methods of a compiled pattern, and the functions of `re`, for symbolic text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from untrod.symbolic.lean import strings
from untrod.symbolic.lean.current import unsupported
from untrod.symbolic.lean.regex.match import LeanMatch
from untrod.symbolic.lean.regex.matcher import Groups, Matcher

_LONGEST = 1 << 60


def call(pattern: re.Pattern[str], name: str) -> Callable[..., Any]:
    """`pattern.name`, to be called with symbolic text."""
    return lambda *args, **named: _METHODS[name](pattern, *args, **named)


def call_of_module(name: str) -> Callable[..., Any]:
    """`re.name`, to be called with a pattern and symbolic text."""

    def function(pattern: Any, *args: Any, flags: Any = 0, **named: Any) -> Any:
        most = 1 if name in ("match", "fullmatch", "search", "findall", "finditer") else 2 + (name == "sub")
        if len(args) > most:
            *args, flags = args  # type: ignore[assignment]
        if type(pattern) is strings.LeanStr:
            unsupported("a symbolic str as a regular expression")
        return _METHODS[name](re.compile(pattern, flags), *args, **named)

    return function


def _match(pattern: re.Pattern[str], string: Any, pos: Any = 0, endpos: Any = _LONGEST) -> Any:
    return _at(pattern, string, pos, endpos, whole=False)


def _fullmatch(pattern: re.Pattern[str], string: Any, pos: Any = 0, endpos: Any = _LONGEST) -> Any:
    return _at(pattern, string, pos, endpos, whole=True)


def _search(pattern: re.Pattern[str], string: Any, pos: Any = 0, endpos: Any = _LONGEST) -> Any:
    return next(_finditer(pattern, string, pos, endpos), None)


def _finditer(
    pattern: re.Pattern[str], string: Any, pos: Any = 0, endpos: Any = _LONGEST
) -> Iterator[LeanMatch]:
    matcher, bounds = _matcher(pattern, string, pos, endpos)
    place, moved = bounds[0], True
    while place <= bounds[1]:
        start, found = place, None
        while found is None and start <= bounds[1]:
            found = matcher.match(start, nonempty=not moved and start == place)
            start += found is None
        if found is None:
            return
        end, groups = found
        yield _made(pattern, string, start, end, groups, bounds)
        place, moved = end, end > start


def _findall(pattern: re.Pattern[str], string: Any, pos: Any = 0, endpos: Any = _LONGEST) -> list[Any]:
    found = []
    for match in _finditer(pattern, string, pos, endpos):
        groups = match.groups("")
        found.append(match.group() if not groups else groups[0] if len(groups) == 1 else groups)
    return found


def _split(pattern: re.Pattern[str], string: Any, maxsplit: Any = 0) -> list[Any]:
    parts, place = [], 0
    for number, match in enumerate(_finditer(pattern, string)):
        if maxsplit and number >= maxsplit:
            break
        parts += [string[place : match.start()], *match.groups()]
        place = match.end()
    return [*parts, string[place:]]


def _sub(pattern: re.Pattern[str], repl: Any, string: Any, count: Any = 0) -> Any:
    if not callable(repl) and (type(repl) is strings.LeanStr or "\\" in repl):
        unsupported("a replacement with groups in it")
    parts, place = [], 0
    for number, match in enumerate(_finditer(pattern, string)):
        if count and number >= count:
            break
        parts += [string[place : match.start()], repl(match) if callable(repl) else repl]
        place = match.end()
    return strings.LeanStr(()).join([*parts, string[place:]])


_METHODS: dict[str, Callable[..., Any]] = {
    "match": _match,
    "fullmatch": _fullmatch,
    "search": _search,
    "finditer": _finditer,
    "findall": _findall,
    "split": _split,
    "sub": _sub,
}
METHODS = frozenset(_METHODS)


def _at(pattern: re.Pattern[str], string: Any, pos: Any, endpos: Any, whole: bool) -> Any:
    matcher, bounds = _matcher(pattern, string, pos, endpos)
    found = matcher.match(bounds[0], whole=whole) if bounds[0] <= bounds[1] else None
    return None if found is None else _made(pattern, string, bounds[0], *found, bounds)


def _matcher(pattern: re.Pattern[str], string: Any, pos: Any, endpos: Any) -> tuple[Matcher, tuple[int, int]]:
    codes = strings.codes_of(string)
    if codes is None:
        raise TypeError(f"expected string or bytes-like object, got {type(string).__name__!r}")
    if isinstance(pattern.pattern, bytes):
        raise TypeError("cannot use a bytes pattern on a string-like object")
    start = min(max(0, pos.__index__()), len(codes))
    end = min(max(0, endpos.__index__()), len(codes))
    return Matcher(pattern, codes[:end]), (start, end)


def _made(
    pattern: re.Pattern[str], string: Any, start: int, end: int, groups: Groups, bounds: tuple[int, int]
) -> LeanMatch:
    return LeanMatch(pattern, string, {**groups, 0: (start, end)}, bounds)
