"""Programs compiled to closures, which put a bit into a mask for every goal that they reach.

The goals (`goals_of`) are, for each expression, the regular expressions inside it and the expression itself:

- a regular expression that marks a position is reached when it has the match that is asked for;
- `SubStr` and the nestings are reached when they give a text that is not empty. `Replace` has also to find
  the delimiter that it replaces, or it would be reached by doing nothing;
- a constant is no goal: it asks nothing of the input.

Every expression is run, whatever becomes of the others: one that finds nothing gives the empty text. Under
this definition the inputs in the paper's figure 6 have the coverage that it prints, 4 of 11 and 11 of 11,
and the program the outputs that it prints.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from untrod.engines.explore.programs.robustfill.language import (
    TOKENS,
    Concat,
    ConstStr,
    Expression,
    GetAll,
    GetFirst,
    GetFrom,
    GetToken,
    GetUpto,
    Nest,
    Nesting,
    Offset,
    Position,
    Regex,
    RegPos,
    Replace,
    SubStr,
    ToCase,
    Trim,
)

Seen: TypeAlias = list[int]
"""A single mask; a list, so that closures can add to it."""
Piece: TypeAlias = Callable[[str, Seen], str]
PositionFinder: TypeAlias = Callable[[str, Seen], int]
Goal: TypeAlias = RegPos | SubStr | Nesting

NOWHERE = -1


class Machine:
    """A compiled program."""

    def __init__(self, program: Concat) -> None:
        self._pieces: list[Piece] = []
        first = 0
        for each in program.expressions:
            piece, first = compiled(each, first)
            self._pieces.append(piece)

    def run(self, text: str) -> tuple[str, int]:
        """What the program makes of `text`, and the mask of the goals reached."""
        seen = [0]
        return "".join([piece(text, seen) for piece in self._pieces]), seen[0]


def goals_of(expression: Expression) -> list[Goal]:
    """In the order of their bits: what is run first comes first."""
    match expression:
        case ConstStr():
            return []
        case Nest(outer, inner):
            return [*goals_of(inner), outer]
        case SubStr(left, right):
            return [*(each for each in (left, right) if isinstance(each, RegPos)), expression]
        case _:
            return [expression]


def compiled(expression: Expression, first: int = 0) -> tuple[Piece, int]:
    """A closure for `expression`, whose goals have bits from `first` on; and the bit behind its last."""
    match expression:
        case ConstStr(constant):
            return (lambda text, seen: constant), first
        case Nest(outer, inner):
            feed, middle = compiled(inner, first)
            transform, last = compiled(outer, middle)
            return (lambda text, seen: transform(feed(text, seen), seen)), last
        case SubStr(left, right):
            start, first = _place(left, first)
            stop, first = _place(right, first)
            return _between(start, stop, 1 << first), first + 1
        case Replace(old, new):
            return _replacing(old, new, 1 << first), first + 1
        case _:
            return _marked(_nesting(expression), 1 << first), first + 1


def _between(start: PositionFinder, stop: PositionFinder, bit: int) -> Piece:
    def between(text: str, seen: Seen) -> str:
        left, right = start(text, seen), stop(text, seen)
        if left in (right, NOWHERE) or right == NOWHERE:
            return ""
        seen[0] |= bit
        return text[left:right] if left < right else text[right:left]

    return between


def _place(position: Position, bit_number: int) -> tuple[PositionFinder, int]:
    if isinstance(position, Offset):
        return _offset(position.at), bit_number
    finder = pattern(position.regex).finditer
    at = position.index - 1 if position.index > 0 else position.index
    enough = abs(position.index)
    side = 0 if position.boundary == "Start" else 1
    bit = 1 << bit_number

    def found(text: str, seen: Seen) -> int:
        matches = [match.span() for match in finder(text)]
        if len(matches) < enough:
            return NOWHERE
        seen[0] |= bit
        return matches[at][side]

    return found, bit_number + 1


def _offset(at: int) -> PositionFinder:
    if at >= 0:
        return lambda text, seen: at if at <= len(text) else NOWHERE
    return lambda text, seen: max(len(text) + at + 1, NOWHERE)


def _marked(transform: Callable[[str], str], bit: int) -> Piece:
    def marked(text: str, seen: Seen) -> str:
        made = transform(text)
        if made:
            seen[0] |= bit
        return made

    return marked


def _replacing(old: str, new: str, bit: int) -> Piece:
    def replacing(text: str, seen: Seen) -> str:
        if old not in text:
            return text
        seen[0] |= bit
        return text.replace(old, new)

    return replacing


def _nesting(of: Nesting) -> Callable[[str], str]:
    match of:
        case GetToken(token, index):
            return _token(token, index)
        case ToCase(case):
            return {"Proper": str.title, "AllCaps": str.upper, "Lower": str.lower}[case]
        case Trim():
            return lambda text: text.strip(" ")
        case GetUpto(regex):
            upto = pattern(regex).search
            return lambda text: text[: found.end()] if (found := upto(text)) else ""
        case GetFrom(regex):
            behind = pattern(regex).search
            return lambda text: text[found.end() :] if (found := behind(text)) else ""
        case GetFirst(token, count):
            first = pattern(token).findall
            return lambda text: "".join(got[:count]) if len(got := first(text)) >= count else ""
        case GetAll(token):
            every = pattern(token).findall
            return lambda text: " ".join(every(text))
        case Replace(old, new):
            return lambda text: text.replace(old, new)


def _token(token: str, index: int) -> Callable[[str], str]:
    matches = pattern(token).findall
    at = index - 1 if index > 0 else index
    enough = abs(index)

    def get(text: str) -> str:
        found = matches(text)
        return str(found[at]) if len(found) >= enough else ""

    return get


@cache
def pattern(regex: Regex) -> re.Pattern[str]:
    return re.compile(TOKENS.get(regex) or re.escape(regex))
