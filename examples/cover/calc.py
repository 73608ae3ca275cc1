"""An evaluator of arithmetic expressions, for `untrod cover`."""

from __future__ import annotations


def evaluate(text: str) -> int:
    """`2 * (3 + 4)` is 14. Division is whole; there is no precedence but the usual one."""
    value, place = _sum(text, _skip(text, 0))
    if place != len(text):
        raise SyntaxError(f"unexpected {text[place]!r}")
    return value


def _sum(text: str, place: int) -> tuple[int, int]:
    value, place = _product(text, place)
    while place < len(text) and text[place] in "+-":
        sign = text[place]
        other, place = _product(text, _skip(text, place + 1))
        value = value + other if sign == "+" else value - other
    return value, place


def _product(text: str, place: int) -> tuple[int, int]:
    value, place = _factor(text, place)
    while place < len(text) and text[place] in "*/":
        sign = text[place]
        other, place = _factor(text, _skip(text, place + 1))
        value = value * other if sign == "*" else value // other
    return value, place


def _factor(text: str, place: int) -> tuple[int, int]:
    if place >= len(text):
        raise SyntaxError("it ends too early")
    if text[place] == "-":
        value, place = _factor(text, _skip(text, place + 1))
        return -value, place
    if text[place] == "(":
        value, place = _sum(text, _skip(text, place + 1))
        if place >= len(text) or text[place] != ")":
            raise SyntaxError("a bracket is not closed")
        return value, _skip(text, place + 1)
    start = place
    while place < len(text) and text[place] in "0123456789":
        place += 1
    if start == place:
        raise SyntaxError(f"unexpected {text[place]!r}")
    return int(text[start:place]), _skip(text, place)


def _skip(text: str, place: int) -> int:
    while place < len(text) and text[place] == " ":
        place += 1
    return place
