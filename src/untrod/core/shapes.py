"""JSON that hostile code may have written, checked before anybody reads it.

What is due is said as a shape, a value of plain functions:

    REPORT = record({"episodes": whole(), "keys": texts()}, {"exhausted": flag})
    REPORT(body, "report")     # raises Malformed: "report.episodes is no whole number"

A complaint names the field and never quotes what stood there, so equal mistakes are told in equal words.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from collections.abc import Callable, Collection, Mapping
from json import loads
from typing import TypeAlias

from untrod.core.vocabulary import Json

MOST = 2**53
"""No count is larger: beyond it neither SQLite, nor JavaScript, nor a float tells neighbours apart."""
LONGEST = 2**20
"""Characters of a text that people read."""
MANY = 1_000_000
DEEPEST = 700
"""Levels of lists and objects: three for each level of a value as source (`source.codec`), and a few more."""
_LARGEST_SNAPSHOT = 512 * 2**20
_NAME = re.compile(r"[\w.<>-]{1,1000}")
_PLAIN = frozenset({int, float, str, bool, type(None)})

Shape: TypeAlias = Callable[[Json, str], None]
"""Called with a value and its name: raises Malformed unless it has this shape."""


class Malformed(ValueError):
    """What came is not what was due. The message says what is wrong with it, in words that do not vary."""


def whole(least: int = 0, most: int = MOST) -> Shape:
    """An integer, which True is not."""

    def check(value: Json, name: str) -> None:
        if type(value) is not int:
            raise Malformed(f"{name} is no whole number")
        if not least <= value <= most:
            raise Malformed(f"{name} is a number out of range")

    return check


def number(least: float = -1e300, most: float = 1e300) -> Shape:
    """An integer or a float, and finite."""

    def check(value: Json, name: str) -> None:
        if type(value) is not int and type(value) is not float:
            raise Malformed(f"{name} is no number")
        if not least <= value <= most:  # which NaN is not
            raise Malformed(f"{name} is a number out of range")

    return check


def text(longest: int = LONGEST) -> Shape:
    def check(value: Json, name: str) -> None:
        if type(value) is not str:
            raise Malformed(f"{name} is no text")
        if len(value) > longest:
            raise Malformed(f"{name} is too long a text")

    return check


def texts(longest: int = LONGEST, most: int = MANY) -> Shape:
    """A list of texts, checked without a call for each: there may be ten thousands."""

    def check(value: Json, name: str) -> None:
        _sized(value, name, most)
        if not set(map(type, value)) <= {str}:
            raise Malformed(f"{name} holds what is no text")
        if max(map(len, value), default=0) > longest:
            raise Malformed(f"{name} holds too long a text")

    return check


def flag(value: Json, name: str) -> None:
    if type(value) is not bool:
        raise Malformed(f"{name} is neither true nor false")


def nothing(value: Json, name: str) -> None:
    if value is not None:
        raise Malformed(f"{name} is something")


def anything(value: Json, name: str) -> None:
    pass


def dotted_name(value: Json, name: str) -> None:
    """Of a module, a class or a function, `<locals>` included: what may stand in source without quotes."""
    if type(value) is not str or not _NAME.fullmatch(value):
        raise Malformed(f"{name} is no name")


def answers(value: Json, name: str) -> None:
    """A trace's: plain values."""
    _sized(value, name, MANY)
    kinds = set(map(type, value))
    if not kinds <= _PLAIN:
        raise Malformed(f"{name} holds what is no answer")
    if float in kinds and not all(math.isfinite(each) for each in value if type(each) is float):
        raise Malformed(f"{name} holds a number out of range")


def numbers(value: Json, name: str) -> None:
    """A list of integers, of any size."""
    _sized(value, name, MANY)
    if not set(map(type, value)) <= {int}:
        raise Malformed(f"{name} holds what is no whole number")


def one_of(choices: Collection[str]) -> Shape:
    known = frozenset(choices)

    def check(value: Json, name: str) -> None:
        if type(value) is not str or value not in known:
            raise Malformed(f"{name} is none of the known words")

    return check


def optional(shape: Shape) -> Shape:
    """Or null."""

    def check(value: Json, name: str) -> None:
        if value is not None:
            shape(value, name)

    return check


def listed(shape: Shape, most: int = MANY) -> Shape:
    def check(value: Json, name: str) -> None:
        _sized(value, name, most)
        for each in value:
            shape(each, name)

    return check


def row(*shapes: Shape) -> Shape:
    """A list of just so many values, each of its own shape."""

    def check(value: Json, name: str) -> None:
        if type(value) is not list or len(value) != len(shapes):
            raise Malformed(f"{name} is no list of {len(shapes)}")
        for shape, each in zip(shapes, value, strict=True):
            shape(each, name)

    return check


def mapping(shape: Shape, most: int = MANY) -> Shape:
    """An object with any names, whose values are all alike."""

    def check(value: Json, name: str) -> None:
        if type(value) is not dict or len(value) > most:
            raise Malformed(f"{name} is no object of at most {most} fields")
        for each in value.values():
            shape(each, name)

    return check


def record(fields: Mapping[str, Shape], more: Mapping[str, Shape] | None = None) -> Shape:
    """An object with these fields, and perhaps some of `more`. Nobody reads others, so nobody minds them."""
    perhaps = tuple((more or {}).items())
    wanted = tuple(fields.items())

    def check(value: Json, name: str) -> None:
        if type(value) is not dict:
            raise Malformed(f"{name} is no object")
        for field, shape in wanted:
            if field not in value:
                raise Malformed(f"{name} has no {field}")
            shape(value[field], f"{name}.{field}")
        for field, shape in perhaps:
            if field in value:
                shape(value[field], f"{name}.{field}")

    return check


def packed(body: Json) -> bytes:
    """JSON as a snapshot keeps it."""
    return zlib.compress(json.dumps(body, separators=(",", ":")).encode(), 1)


def unpacked(blob: bytes) -> Json:
    """The JSON in a compressed snapshot. Raises Malformed for anything else, a bomb included."""
    try:
        inflater = zlib.decompressobj()
        body = inflater.decompress(blob, _LARGEST_SNAPSHOT)
        if not inflater.eof:
            raise Malformed("not a snapshot: too large, or torn")
        return loads(body)
    except (zlib.error, ValueError, RecursionError) as error:
        if isinstance(error, Malformed):
            raise
        raise Malformed("not a snapshot: no compressed JSON") from error


def parsed(text: str, deepest: int = DEEPEST) -> Json:
    """The JSON in `text`. Raises Malformed for anything else, and for what nests deeper: much of what is done
    with it calls itself for each level."""
    try:
        value = loads(text)
    except (ValueError, RecursionError) as error:
        raise Malformed("it is no JSON, or nests too deep") from error
    if text.count("[") + text.count("{") > deepest and _nests_deeper(value, deepest):
        raise Malformed("it nests too deep")
    return value


def _nests_deeper(value: Json, deepest: int) -> bool:
    level = [value]
    for _ in range(deepest):
        level = [
            each
            for holder in level
            if isinstance(holder, list | dict)
            for each in (holder.values() if isinstance(holder, dict) else holder)
            if isinstance(each, list | dict)
        ]
        if not level:
            return False
    return True


def _sized(value: Json, name: str, most: int) -> None:
    if type(value) is not list:
        raise Malformed(f"{name} is no list")
    if len(value) > most:
        raise Malformed(f"{name} is too long a list")
