"""A formula as an English sentence, for reports and for people who do not read formulas."""

from __future__ import annotations

from untrod.ltl.nodes import (
    Always,
    And,
    Atom,
    Bound,
    Constant,
    Eventually,
    Formula,
    Implies,
    Next,
    Not,
    Or,
    Release,
    Until,
    WeakNext,
    WeakUntil,
)

CONSTANTS = {True: "nothing is asked for", False: "it is impossible", None: "nobody knows"}


def sentence(formula: Formula) -> str:
    """`F [text ~ Saved]`: Eventually "Saved" is shown."""
    words = phrase(formula)
    return words[0].upper() + words[1:] + "."


def phrase(formula: Formula) -> str:
    match formula:
        case Constant(value):
            return CONSTANTS[value]
        case Atom():
            return _atom(formula, True)
        case Not(Atom() as atom):
            return _atom(atom, False)
        case Next(Constant(True)):
            return "there is a next step"
        case Not(Next(Constant(True))) | WeakNext(Constant(False)):
            return "this is the last step"
        case Not(of):
            return f"it is not so that {_inner(of)}"
        case And(parts):
            return ", and ".join(map(_inner, parts)) if len(parts) > 2 else " and ".join(map(_inner, parts))
        case Or(parts):
            return "either " + " or ".join(map(_inner, parts))
        case Implies(left, right):
            return f"if {_inner(left)}, then {_inner(right)}"
        case Next(of):
            return f"at the next step {_inner(of)}"
        case WeakNext(of):
            return f"at the next step, if there is one, {_inner(of)}"
        case Eventually(of, bound):
            return f"{_within(bound) or 'eventually'} {_inner(of)}"
        case Always(Not(of), None):
            return f"never {_inner(of)}"
        case Always(of, bound):
            return f"{_for(bound) or 'always'} {_inner(of)}"
        case Until(left, right, bound):
            return f"{_inner(left)} until {_also(_within(bound))}{_inner(right)}"
        case WeakUntil(left, right, bound):
            return f"{_inner(left)} until {_also(_within(bound))}{_inner(right)}, if that ever happens"
        case Release(left, right, bound):
            return f"{_also(_for(bound))}{_inner(right)}, up to the step where {_inner(left)}"
    raise TypeError(f"not a formula: {formula!r}")


def _atom(atom: Atom, holds: bool) -> str:
    value, no = f'"{atom.value}"', "" if holds else "not "
    match atom.name, atom.operator:
        case "text", "~":
            return f"{value} is {no}shown"
        case "actionType", "=":
            return f"the action is {no}{value}"
        case "actionDetail", "~":
            return f"the action is {no}on {value}"
        case "actionValue", "=":
            return f"the action's value is {no}{value}"
        case name, "=":
            return f"the {name} is {no}{value}"
    return f"the {atom.name} {'contains' if holds else 'does not contain'} {value}"


def _inner(formula: Formula) -> str:
    """With parentheses where the words alone could be taken in two ways."""
    words = phrase(formula)
    simple = isinstance(formula, Atom | Constant | Next | WeakNext | Eventually | Always)
    simple |= isinstance(formula, Not) and isinstance(formula.of, Atom | Next)
    return words if simple else f"({words})"


def _within(bound: Bound | None) -> str:
    return f"within {_span(bound)}" if bound else ""


def _for(bound: Bound | None) -> str:
    return f"for {_span(bound)}" if bound else ""


def _also(words: str) -> str:
    return f"{words} " if words else ""


def _span(bound: Bound) -> str:
    if bound.unit == "steps":
        return f"{bound.limit} step{'s' * (bound.limit != 1)}"
    seconds = bound.limit / 1000
    return f"{seconds:g} second{'s' * (seconds != 1)}"
