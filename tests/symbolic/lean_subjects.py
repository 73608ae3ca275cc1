"""Functions whose operations only rewriting can see. Not a test module: pytest would rewrite its code."""

from __future__ import annotations

import functools
import re

VOWELS = frozenset("aeiou")
PAIRS = {")": "(", "]": "["}


def in_a_literal(text: str) -> str:
    return "vowel" if text[0] in "aeiou" else "other" if text[0] not in "xyz" else "last"


def in_a_set(text: str) -> bool:
    return True if text[0] in VOWELS else False  # noqa: SIM210


def in_a_range(number: int) -> str:
    return "in" if number in range(10, 20, 5) else "out"


def joins(text: str) -> str:
    joined = "-".join(reversed(text))
    return "found" if joined == "b-a" else joined


def codes(text: str) -> str:
    total = sum(map(ord, text)) - ord("a")
    return chr(total) if total == ord("z") else "no"


def reads(text: str) -> int | str:
    try:
        return 1 if int(text) == 42 else 0
    except ValueError:
        return "no number"


def exact_types(number: int, text: str) -> str:
    if type(number) is int and type(text) is str and isinstance(text, str):
        return "yes" if number > 3 else "no"
    return "impossible"


def literal_methods(text: str) -> str:
    if "abc".startswith(text):
        return "prefix"
    return "tail" if "xyz".find(text) == 1 else "none"


def brackets(text: str) -> bool:
    stack: list[str] = []
    for character in text:
        if character in "([":
            stack.append(character)
        elif character in PAIRS and (not stack or stack.pop() != PAIRS[character]):
            return False
    return not stack


@functools.cache
def memo(text: str) -> bool:
    return text in "ab"


class Parser:
    def parse(self, text: str) -> str:
        return "digit" if self.digit(text[0]) else "other"

    @staticmethod
    def digit(character: str) -> bool:
        return character in "0123456789"


def shadowed(number: int) -> int:
    ord = chr = abs
    return ord(number) + chr(number)


def divides(number: int) -> float:
    return number / 2


def replaces(text: str) -> str:
    return re.sub("(a+)", r"<\1>", text)


def swallows(number: int) -> str:
    try:
        number / 2
    except:  # noqa: E722
        pass
    return "big" if number > 3 else "small"


def complains(number: int) -> int:
    if number > 3:
        raise ValueError(f"{number} is too big")
    return number
