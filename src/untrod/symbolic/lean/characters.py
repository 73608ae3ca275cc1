"""What ASCII characters are, as conditions on their code.

Beyond ASCII nothing is simple (the upper case of one character may be three), so a path on which a symbolic
character could lie outside is first split; the side outside is unsupported. A character whose own bounds
keep it inside, as those of the default shape do, costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from untrod.symbolic.lean.current import internally, unsupported
from untrod.symbolic.lean.folding import add, all_of, any_of, at_most, between, choose, negate
from untrod.symbolic.lean.terms import CONST, Term, constant

Ranges = tuple[tuple[int, int], ...]
DIGIT: Ranges = ((48, 57),)
UPPER: Ranges = ((65, 90),)
LOWER: Ranges = ((97, 122),)
SPACE: Ranges = ((9, 13), (28, 32))
PRINTABLE: Ranges = ((32, 126),)


def within(code: Term, ranges: Ranges) -> Term:
    return any_of(between(low, code, high) for low, high in ranges)


def need_ascii(codes: tuple[Term, ...]) -> None:
    for code in codes:
        if code.op != CONST and not internally(at_most(code, constant(127))):
            unsupported("a symbolic character beyond ASCII")


def upper(code: Term) -> Term:
    return _constant(code, str.upper) or choose(within(code, LOWER), add(code, constant(-32)), code)


def lower(code: Term) -> Term:
    return _constant(code, str.lower) or choose(within(code, UPPER), add(code, constant(32)), code)


def swap(code: Term) -> Term:
    return _constant(code, str.swapcase) or choose(within(code, LOWER), add(code, constant(-32)), lower(code))


def _constant(code: Term, change: Callable[[str], str]) -> Term | None:
    if code.op != CONST:
        return None
    changed = change(chr(code.value))
    if len(changed) != 1:
        unsupported("a character that changes its length with its case")
    return constant(ord(changed))


def all_within(codes: tuple[Term, ...], ranges: Ranges, question: Callable[[str], bool]) -> Term:
    """`str.isdigit` and its like: at least one character, and all of them in the class."""
    need_ascii(codes)
    parts = [_asked(code, question) or within(code, ranges) for code in codes]
    return all_of(parts) if parts else constant(False)


def one_case(codes: tuple[Term, ...], case: Ranges, other: Ranges) -> Term:
    """`str.isupper` and `str.islower`: some character of the case, and none of the other."""
    need_ascii(codes)
    if any(code.op == CONST and code.value > 127 for code in codes):
        unsupported("the case of text beyond ASCII")
    some = any_of(within(code, case) for code in codes)
    return all_of([some, *(negate(within(code, other)) for code in codes)])


def is_space(code: Term) -> Term:
    return _asked(code, str.isspace) or within(code, SPACE)


def _asked(code: Term, question: Callable[[str], bool]) -> Term | None:
    return constant(question(chr(code.value))) if code.op == CONST else None
