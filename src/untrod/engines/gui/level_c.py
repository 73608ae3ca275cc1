"""A test as a formula of the paper's level c: these actions in this order, and what holds with them."""

from __future__ import annotations

from collections.abc import Sequence

from untrod.core.vocabulary import Json
from untrod.drivers.protocol import Action
from untrod.ltl import TRUE, Atom, Formula
from untrod.ltl.nodes import And, Next, Not


def level_c(actions: Sequence[Action], reasons: Sequence[Json]) -> Formula:
    """`reasons` are [step, name, operator, value, holds], the first action being step 1.

    A campaign for this formula takes just these steps: prediction leaves it no choice.
    """
    rest: Formula = TRUE
    for number in range(len(actions), 0, -1):
        action = actions[number - 1]
        parts: list[Formula] = [Atom("actionType", "=", action.type)]
        parts += [Atom("actionDetail", "=", action.detail)] if action.detail else []
        parts += [Atom("actionValue", "=", action.value)] if action.value else []
        rest = Next(_all([*parts, *_facts(number, reasons), rest]))
    return _all([*_facts(0, reasons), rest])


def _facts(number: int, reasons: Sequence[Json]) -> list[Formula]:
    found: dict[Formula, None] = {}
    for step, name, operator, value, holds in reasons:
        if step == number and not name.startswith("action"):
            atom = Atom(name, operator, value)
            found[atom if holds else Not(atom)] = None
    return list(found)


def _all(parts: list[Formula]) -> Formula:
    said = tuple(part for part in parts if part is not TRUE)
    return And(said) if len(said) > 1 else said[0] if said else TRUE
