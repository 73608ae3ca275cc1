"""For which values of its input does a condition hold, where it has only one?"""

from __future__ import annotations

from untrod.symbolic.lean.terms import ADD, AND, CONST, EQUAL, FLAG, LESS, NOT, OR, VAR, Term
from untrod.symbolic.ranges import (
    DEEPEST,
    MOST_PARTS,
    Ranges,
    above,
    below,
    complement,
    intersection,
    only,
    shifted,
    union,
)

Values = tuple[str, Ranges]


def values_of(term: Term, depth: int = 0) -> Values | None:
    if depth > DEEPEST or len(term.args) > MOST_PARTS:
        return None
    if term.op == FLAG:
        return f"x{term.args[0]}", only(1)
    if term.op == NOT:
        inner = values_of(term.args[0], depth + 1)
        return inner and (inner[0], complement(inner[1]))
    if term.op in (AND, OR):
        return _joined(term, depth)
    if term.op in (LESS, EQUAL):
        return _compared(*term.args, is_less=term.op == LESS)
    return None


def _joined(term: Term, depth: int) -> Values | None:
    names, parts = set[str](), list[Ranges]()
    for arg in term.args:
        found = values_of(arg, depth + 1)
        if found is None or len(names | {found[0]}) > 1:
            return None
        names.add(found[0])
        parts.append(found[1])
    return names.pop(), intersection(*parts) if term.op == AND else union(*parts)


def _compared(left: Term, right: Term, *, is_less: bool) -> Values | None:
    if left.op == CONST:
        name, offset = _input(right)
        found = above(left.value) if is_less else only(left.value)
    elif right.op == CONST:
        name, offset = _input(left)
        found = below(right.value) if is_less else only(right.value)
    else:
        return None
    return (name, shifted(found, -offset)) if name else None


def _input(term: Term) -> tuple[str, int]:
    """An input, and what is added to it; no name where the term is something else."""
    if term.op == VAR:
        return f"x{term.args[0]}", 0
    if term.op == ADD and len(term.args) == 2:
        left, right = sorted(term.args, key=lambda arg: arg.op == CONST)
        if left.op == VAR and right.op == CONST:
            return f"x{left.args[0]}", right.value
    return "", 0
