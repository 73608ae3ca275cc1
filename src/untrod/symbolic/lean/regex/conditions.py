"""Which characters a piece of a regular expression allows, as a condition on a character's code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from re import _constants as sre
from typing import Any

from untrod.symbolic.lean.characters import DIGIT, LOWER, SPACE, UPPER, Ranges, within
from untrod.symbolic.lean.current import unsupported
from untrod.symbolic.lean.folding import any_of, between, equal, negate
from untrod.symbolic.lean.terms import CONST, FALSE, TRUE, Term, constant

_NEWLINE = constant(10)
_WORD: Ranges = (*DIGIT, *UPPER, (95, 95), *LOWER)
_CLASSES: dict[Any, tuple[Ranges, str, bool]] = {
    sre.CATEGORY_DIGIT: (DIGIT, r"\d", True),
    sre.CATEGORY_NOT_DIGIT: (DIGIT, r"\d", False),
    sre.CATEGORY_SPACE: (SPACE, r"\s", True),
    sre.CATEGORY_NOT_SPACE: (SPACE, r"\s", False),
    sre.CATEGORY_WORD: (_WORD, r"\w", True),
    sre.CATEGORY_NOT_WORD: (_WORD, r"\w", False),
}
_ASCII_SPACE: Ranges = ((9, 13), (32, 32))


def is_single(operator: Any) -> bool:
    """Does a piece with this operator stand for exactly one character?"""
    return operator in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN)


def allowed(operator: Any, argument: Any, code: Term, flags: int) -> Term:
    """May the character be `code`? The operator is one of those for which `is_single` holds."""
    if operator is sre.LITERAL:
        return _literal(argument, code, flags)
    if operator is sre.NOT_LITERAL:
        return negate(_literal(argument, code, flags))
    if operator is sre.ANY:
        return TRUE if flags & re.DOTALL else negate(equal(code, _NEWLINE))
    return _one_of(argument, code, flags)


def is_word(code: Term, flags: int) -> Term:
    return _category(sre.CATEGORY_WORD, code, flags)


def _literal(wanted: int, code: Term, flags: int) -> Term:
    if not flags & re.IGNORECASE:
        return equal(code, constant(wanted))
    return any_of(equal(code, constant(case)) for case in _cases(wanted))


def _cases(code: int) -> list[int]:
    """A letter in both cases. Beyond ASCII there may be more than two, or one more than ASCII knows of."""
    if code > 127:
        unsupported("a regular expression that ignores the case of text beyond ASCII")
    character = chr(code)
    return sorted({ord(character.lower()), ord(character.upper())})


def _one_of(parts: Sequence[tuple[Any, Any]], code: Term, flags: int) -> Term:
    found, wanted = [], True
    for operator, argument in parts:
        if operator is sre.NEGATE:
            wanted = False
        elif operator is sre.LITERAL:
            found.append(_literal(argument, code, flags))
        elif operator is sre.RANGE:
            found.append(_range(argument, code, flags))
        elif operator is sre.CATEGORY:
            found.append(_category(argument, code, flags))
        else:
            unsupported(f"{operator} in a regular expression")
    return any_of(found) if wanted else negate(any_of(found))


def _range(bounds: tuple[int, int], code: Term, flags: int) -> Term:
    low, high = bounds
    plain = between(low, code, high)
    if not flags & re.IGNORECASE:
        return plain
    if high > 127:
        unsupported("a regular expression that ignores the case of text beyond ASCII")
    other = [ord(chr(one).swapcase()) for one in range(low, high + 1) if chr(one).isalpha()]
    return any_of([plain, *(equal(code, constant(one)) for one in other)])


def _category(category: Any, code: Term, flags: int) -> Term:
    if category not in _CLASSES:
        unsupported(f"{category} in a regular expression")
    ranges, spelt, wanted = _CLASSES[category]
    ascii_only = bool(flags & re.ASCII)
    if code.op == CONST:
        found = re.fullmatch(spelt, chr(code.value), re.ASCII if ascii_only else 0) is not None
        return TRUE if found == wanted else FALSE
    inside = within(code, _ASCII_SPACE if ascii_only and spelt == r"\s" else ranges)
    return inside if wanted else negate(inside)
