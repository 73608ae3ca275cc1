"""`int(text)` for symbolic text, in base 10: digits, a sign, spaces around, single underscores between."""

from __future__ import annotations

from typing import Any

from untrod.symbolic.lean import searching, strings
from untrod.symbolic.lean.characters import DIGIT, need_ascii, within
from untrod.symbolic.lean.current import internally
from untrod.symbolic.lean.folding import ZERO, add, equal, multiply, negative
from untrod.symbolic.lean.ints import make_int
from untrod.symbolic.lean.terms import constant

_TEN, _PLUS, _MINUS, _UNDERSCORE = map(constant, (10, ord("+"), ord("-"), ord("_")))


def read_int(text: Any) -> Any:
    need_ascii(text.codes)
    codes = strings.codes_of(searching.strip(text.codes, None, left=True, right=True)) or ()
    minus = bool(codes) and internally(equal(codes[0], _MINUS))
    if codes and (minus or internally(equal(codes[0], _PLUS))):
        codes = codes[1:]
    total, digit_before = ZERO, False
    for code in codes:
        if internally(within(code, DIGIT)):
            total = add(multiply(total, _TEN), add(code, constant(-ord("0"))))
            digit_before = True
        elif digit_before and internally(equal(code, _UNDERSCORE)):
            digit_before = False
        else:
            raise ValueError("invalid literal for int() with base 10")
    if not digit_before:
        raise ValueError("invalid literal for int() with base 10")
    return make_int(negative(total) if minus else total)
