"""Texts that match a regular expression, from its parse tree, at random.

Hypothesis can do this too, and thoroughly: it knows all of Unicode, and takes seconds for that. Here it is
plain ASCII and a few repetitions, thousands of texts a second. Assertions are not understood, so what is made
is tried: only what matches is a match.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from re import _constants as ops
from re import _parser
from typing import Any

from untrod.engines.cover.values.words import LONGEST, Words

_CHARACTERS = [chr(code) for code in range(32, 127)]
_SPACES = " \t\n"
_CATEGORIES: dict[Any, Callable[[str], bool]] = {
    ops.CATEGORY_DIGIT: str.isdigit,
    ops.CATEGORY_SPACE: str.isspace,
    ops.CATEGORY_WORD: lambda character: character.isalnum() or character == "_",
}
_OPPOSITES = {
    ops.CATEGORY_NOT_DIGIT: ops.CATEGORY_DIGIT,
    ops.CATEGORY_NOT_SPACE: ops.CATEGORY_SPACE,
    ops.CATEGORY_NOT_WORD: ops.CATEGORY_WORD,
}
MOST_REPEATS = 4
TRIES = 8
PER_PATTERN = 15
MOST_PATTERNS = 30


def match_patterns(words: Words) -> None:
    """Fill `words.matching`."""
    rng = Random(0)
    for pattern, flags in words.patterns[:MOST_PATTERNS]:
        for text in matching_texts(pattern, flags, PER_PATTERN, rng):
            if 0 < len(text) <= 2 * LONGEST and text not in words.matching:
                words.matching.append(text)


def matching_texts(pattern: str, flags: int, count: int, rng: Random) -> list[str]:
    """At most `count`, all different; fewer, or none, where it takes more than chance to match."""
    try:
        compiled = re.compile(pattern, flags)
        tree = _parser.parse(pattern, flags)
    except (re.error, ValueError, OverflowError, RecursionError):
        return []
    found: dict[str, None] = {}
    for _ in range(TRIES * count):
        text = _Writer(rng).written(tree)
        if compiled.search(text):
            found[text] = None
        if len(found) == count:
            break
    return list(found)


class _Writer:
    """Of one text: groups that are referred to are remembered."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._groups: dict[int, str] = {}

    def written(self, tree: Any) -> str:
        return "".join(self._one(op, value) for op, value in tree)

    def _one(self, op: Any, value: Any) -> str:
        if op is ops.LITERAL:
            return chr(value)
        if op is ops.ANY:
            return self._rng.choice(_CHARACTERS)
        if op is ops.NOT_LITERAL:
            return self._rng.choice([c for c in _CHARACTERS if c != chr(value)])
        if op is ops.IN:
            return self._rng.choice(_members(value) or [""])
        if op is ops.BRANCH:
            return self.written(self._rng.choice(value[1]))
        if op is ops.SUBPATTERN:
            number, _, _, inner = value
            text = self.written(inner)
            if number is not None:
                self._groups[number] = text
            return text
        if op in (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT):
            least, most, inner = value
            times = self._rng.randint(least, min(int(most), least + MOST_REPEATS))
            return "".join(self.written(inner) for _ in range(times))
        if op is ops.ATOMIC_GROUP:
            return self.written(value)
        if op is ops.GROUPREF:
            return self._groups.get(value, "")
        if op is ops.GROUPREF_EXISTS:
            number, yes, no = value
            return self.written(yes if number in self._groups else no or [])
        return ""  # where something begins or ends, and what comes before or after it


def _members(items: Any) -> list[str]:
    """The characters of a set; of a negated one, those that are not in it."""
    (first, _), *others = items
    negated = first is ops.NEGATE
    inside = others if negated else items
    plain = {chr(value) for op, value in inside if op is ops.LITERAL}
    universe = [*_CHARACTERS, *_SPACES[1:], *sorted(plain - set(_CHARACTERS) - set(_SPACES))]
    chosen = [c for c in universe if any(_is_in(c, op, value) for op, value in inside)]
    if negated:
        return [c for c in _CHARACTERS if c not in chosen]
    if not chosen:  # ranges of other letters
        chosen = [chr(value[0]) for op, value in inside if op is ops.RANGE]
    return chosen


def _is_in(character: str, op: Any, value: Any) -> bool:
    if op is ops.LITERAL:
        return bool(ord(character) == value)
    if op is ops.RANGE:
        return bool(value[0] <= ord(character) <= value[1])
    if op is ops.CATEGORY:
        opposite = _OPPOSITES.get(value)
        test = _CATEGORIES.get(opposite or value)
        return test is not None and bool(test(character)) != (opposite is not None)
    return False
