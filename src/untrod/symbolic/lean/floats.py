"""Where a symbolic int meets a float. Comparisons are exact, in integers: x < 1.5 is x <= 1."""

from __future__ import annotations

import math
from typing import Any

from untrod.symbolic.lean import bools
from untrod.symbolic.lean.current import unsupported
from untrod.symbolic.lean.folding import at_most, equal, less, negate
from untrod.symbolic.lean.terms import FALSE, Term, constant


def combined(sign: str, other: Any) -> Any:
    """`x sign other`; `r-` is `other - x`. Only infinity stays what it is, whatever x may be."""
    if not isinstance(other, float):
        return NotImplemented
    if math.isinf(other) and sign in ("+", "-", "r-"):
        return -other if sign == "-" else other
    return unsupported("arithmetic of a symbolic int and a float")


def compared(term: Term, sign: str, other: Any) -> Any:
    """`x sign other`"""
    if not isinstance(other, float):
        return NotImplemented
    if math.isnan(other):
        return sign == "!="
    if math.isinf(other):
        return {"<": other > 0, "<=": other > 0, ">": other < 0, ">=": other < 0, "==": False, "!=": True}[
            sign
        ]
    floor, whole = constant(math.floor(other)), other.is_integer()
    equals = equal(term, floor) if whole else FALSE
    below = less(term, floor) if whole else at_most(term, floor)
    answers = {
        "<": below,
        "<=": at_most(term, floor),
        ">": negate(at_most(term, floor)),
        ">=": negate(below),
        "==": equals,
        "!=": negate(equals),
    }
    return bools.make_bool(answers[sign])
