"""The methods of str that look for something, on codes of characters.

Each follows Python's own definition, position by position, with `internally` where Python would compare.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from untrod.symbolic.lean import bools, strings
from untrod.symbolic.lean.characters import is_space, need_ascii
from untrod.symbolic.lean.current import internally
from untrod.symbolic.lean.folding import any_of, equal
from untrod.symbolic.lean.terms import FALSE, TRUE, Term

Codes = tuple[Term, ...]


def at(text: Codes, place: int, part: Codes) -> Term:
    """Is `part` at `place`?"""
    return strings.same(text[place : place + len(part)], part)


def inside(part: Codes, text: Codes) -> Term:
    """Is it anywhere?"""
    if not part:
        return TRUE
    return any_of(at(text, place, part) for place in range(len(text) - len(part) + 1))


def starts(text: Codes, prefix: Any, start: Any, end: Any) -> Any:
    return _affixed(_window(text, start, end), prefix, lambda window, codes: at(window, 0, codes))


def ends(text: Codes, suffix: Any, start: Any, end: Any) -> Any:
    def fits(window: Codes, codes: Codes) -> Term:
        return at(window, len(window) - len(codes), codes) if len(codes) <= len(window) else FALSE

    return _affixed(_window(text, start, end), suffix, fits)


def find(text: Codes, part: Any, start: Any, end: Any, backwards: bool = False) -> int:
    codes = _need(part, "find")
    window = _window(text, start, end)
    if window is None:
        return -1
    places = range(len(window) - len(codes) + 1)
    for place in reversed(places) if backwards else places:
        if internally(at(window, place, codes)):
            return slice(start, end).indices(len(text))[0] + place
    return -1


def found(place: int) -> int:
    if place < 0:
        raise ValueError("substring not found")
    return place


def count(text: Codes, part: Any, start: Any, end: Any) -> int:
    codes, window = _need(part, "count"), _window(text, start, end)
    if window is None:
        return 0
    return len(_cut(window, codes, -1)) - 1 if codes else len(window) + 1


def replace(text: Codes, old: Any, new: Any, most: Any) -> Any:
    before, after = _need(old, "replace"), _need(new, "replace")
    if not before:  # before every character and at the end: Python's own rule, on positions alone
        gaps = len(text) + 1
        filled = gaps if most < 0 else min(most, gaps)
        woven = ((after if gap < filled else ()) + text[gap : gap + 1] for gap in range(gaps))
        return strings.make_text(sum(woven, ()))
    return join(after, [strings.make_text(piece) for piece in _cut(text, before, most)])


def split(text: Codes, separator: Any, most: Any) -> list[Any]:
    if separator is None:
        return _split_at_spaces(text, most)
    codes = _need(separator, "split")
    if not codes:
        raise ValueError("empty separator")
    return [strings.make_text(piece) for piece in _cut(text, codes, most)]


def partition(text: Codes, separator: Any, backwards: bool = False) -> tuple[Any, Any, Any]:
    codes = _need(separator, "partition")
    if not codes:
        raise ValueError("empty separator")
    place = find(text, separator, None, None, backwards)
    if place < 0:
        return ("", "", strings.make_text(text)) if backwards else (strings.make_text(text), "", "")
    rest = place + len(codes)
    return strings.make_text(text[:place]), separator, strings.make_text(text[rest:])


def strip(text: Codes, characters: Any, *, left: bool, right: bool) -> Any:
    if characters is None:
        need_ascii(text)
        unwanted: Callable[[Term], Term] = is_space
    else:
        wanted = _need(characters, "strip")
        unwanted = lambda code: any_of(equal(code, one) for one in wanted)  # noqa: E731
    first, last = 0, len(text)
    while left and first < last and internally(unwanted(text[first])):
        first += 1
    while right and last > first and internally(unwanted(text[last - 1])):
        last -= 1
    return strings.make_text(text[first:last])


def join(separator: Codes, parts: Any) -> Any:
    joined: list[Term] = []
    for number, part in enumerate(parts):
        codes = strings.codes_of(part)
        if codes is None:
            raise TypeError(f"sequence item {number}: expected str instance, {type(part).__name__} found")
        if number:
            joined.extend(separator)
        joined.extend(codes)
    return strings.make_text(tuple(joined))


def _affixed(window: Codes | None, affix: Any, fits: Callable[[Codes, Codes], Term]) -> Any:
    wanted = [_need(one, "startswith") for one in (affix if isinstance(affix, tuple) else (affix,))]
    return False if window is None else bools.make_bool(any_of(fits(window, codes) for codes in wanted))


def _window(text: Codes, start: Any, end: Any) -> Codes | None:
    """`text[start:end]`; None where Python finds not even the empty string."""
    first, last, _ = slice(start, end).indices(len(text))
    return text[first:last] if first <= last and (start is None or start <= len(text)) else None


def _cut(text: Codes, separator: Codes, most: int) -> list[Codes]:
    """What lies between the separators, found from the left."""
    pieces: list[Codes] = []
    start = place = 0
    while place + len(separator) <= len(text) and (most < 0 or len(pieces) < most):
        if internally(at(text, place, separator)):
            pieces.append(text[start:place])
            start = place = place + len(separator)
        else:
            place += 1
    return [*pieces, text[start:]]


def _split_at_spaces(text: Codes, most: int) -> list[Any]:
    need_ascii(text)
    pieces: list[Any] = []
    place = 0
    while True:
        while place < len(text) and internally(is_space(text[place])):
            place += 1
        if place == len(text):
            return pieces
        if 0 <= most <= len(pieces):
            return [*pieces, strings.make_text(text[place:])]
        start = place
        while place < len(text) and not internally(is_space(text[place])):
            place += 1
        pieces.append(strings.make_text(text[start:place]))


def _need(value: Any, method: str) -> Codes:
    codes = strings.codes_of(value)
    if codes is None:
        raise TypeError(f"{method}: must be str, not {type(value).__name__}")
    return codes
