"""JavaScript that a real parser (esprima) accepts, from a grammar without its side conditions.

What the grammar ignores and the parser does not: `return` belongs in functions, `break` and `continue` in
loops, labels must exist and not repeat, a `const` needs a value, only places can be assigned to, a `try`
needs a `catch` or a `finally`, and strict code forbids `with`, octal numbers and deleting a name.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any

import esprima  # type: ignore[import-untyped]

from bench.inputs.subjects.base import Assume, Bug, Subject, branch_trace
from bench.inputs.subjects.javascript_grammar import (
    ATOMS,
    EXPRESSIONS,
    LABELS,
    MAX_DEPTH,
    NAMES,
    NUMBERS,
    OPERATORS,
    SIMPLE,
    STATEMENTS,
    admits,
    nodes,
    programs,
    render,
)


def accepted(source: str) -> bool:
    try:
        esprima.parseScript(source)
    except esprima.Error:
        return False
    return True


def check(program: Any, assume: Assume) -> None:
    assume(accepted(render(program)))


@dataclass(frozen=True)
class Place:
    """Where in a program we are: what the side conditions depend on."""

    strict: bool
    depth: int = 0
    in_function: bool = False
    in_loop: bool = False
    labels: tuple[str, ...] = ()

    @property
    def inside(self) -> Place:
        return replace(self, depth=self.depth + 1)


def construct(random: Random) -> Any:
    """A program that keeps every side condition."""
    strict = random.random() < 0.5
    body = tuple(_statement(random, Place(strict)) for _ in range(random.randint(2, 4)))
    return ("program", strict, body)


def _statement(random: Random, place: Place, labelled: bool = False) -> Any:
    kinds = [kind for kind in (STATEMENTS if place.depth < MAX_DEPTH else SIMPLE) if _allowed(kind, place)]
    if labelled:
        kinds = [kind for kind in kinds if kind not in ("declare", "function")]
    kind, inside = random.choice(kinds), place.inside
    if kind in ("break", "continue"):
        labels = place.labels if kind == "break" else ()
        return (kind, random.choice([*labels, *([None] if place.in_loop else [])]))
    if kind == "expression":
        return (kind, _expression(random, inside))
    if kind == "return":
        return (kind, _expression(random, inside) if random.random() < 0.5 else None)
    if kind == "declare":
        keyword = random.choice(("var", "let", "const"))
        valued = keyword == "const" or random.random() < 0.5
        return (kind, keyword, random.choice(NAMES), _expression(random, inside) if valued else None)
    if kind == "function":
        strict = random.random() < 0.5
        body = _block(random, Place(place.strict or strict, inside.depth, in_function=True))
        return (kind, random.choice(NAMES), strict, body)
    if kind == "label":
        label = random.choice([label for label in LABELS if label not in place.labels])
        within = replace(inside, labels=(*place.labels, label))
        return (kind, label, _statement(random, within, labelled=True))
    if kind == "try":
        parts = random.choice(((True, False), (False, True), (True, True)))
        return (kind, _block(random, inside), *(_block(random, inside) if part else None for part in parts))
    head = _target(random, inside) if kind == "for" else _expression(random, inside)
    looping = replace(inside, in_loop=True) if kind in ("while", "for") else inside
    return (kind, head, _block(random, looping))


def _allowed(kind: str, place: Place) -> bool:
    match kind:
        case "return":
            return place.in_function
        case "break":
            return place.in_loop or bool(place.labels)
        case "continue":
            return place.in_loop
        case "with":
            return not place.strict
        case "label":
            return len(place.labels) < len(LABELS)
    return True


def _block(random: Random, place: Place) -> tuple[Any, ...]:
    return tuple(_statement(random, place) for _ in range(random.randint(0, 2)))


def _expression(random: Random, place: Place) -> Any:
    kind = random.choice(EXPRESSIONS if place.depth < MAX_DEPTH else ATOMS)
    inside = place.inside
    if kind == "name":
        return (kind, random.choice(NAMES))
    if kind == "number":
        return (kind, random.choice(NUMBERS[:2] if place.strict else NUMBERS))
    if kind == "binary":
        left, right = _expression(random, inside), _expression(random, inside)
        # The parser refuses `delete` before `**` even in parentheses.
        return (kind, random.choice(OPERATORS[:-1] if left[0] == "delete" else OPERATORS), left, right)
    if kind == "assign":
        return (kind, _target(random, inside), _expression(random, inside))
    if kind == "call":
        return (kind, _expression(random, inside), _expression(random, inside))
    if kind == "arrow":
        return (kind, tuple(random.sample(NAMES, random.randint(0, 2))), _expression(random, inside))
    if kind == "increment":
        return (kind, _target(random, inside))
    operand = _expression(random, inside)
    if kind == "delete" and place.strict and operand[0] == "name":
        operand = ("number", "0")
    return (kind, operand)


def _target(random: Random, place: Place) -> Any:
    if place.depth < MAX_DEPTH and random.random() < 0.5:
        return ("member", _expression(random, place.inside))
    return ("name", random.choice(NAMES))


def effects(program: Any) -> int:
    """A consumer of valid programs, what the trace follows: how many places a program can change."""
    total = 0
    for node in nodes(program):
        kind = node[0]
        if kind in ("assign", "increment"):
            total += 2 if node[1][0] == "member" else 1
        elif kind == "delete":
            total += 1
        elif kind == "call":
            if node[1][0] == "arrow":
                total += len(node[1][1])
            elif node[1][0] != "name":
                total += 3
        elif kind == "declare":
            if node[1] == "const":
                continue
            total += 1
        elif kind in ("while", "for"):
            total *= 2
        elif kind == "label":
            total += len(node[1])
        elif kind == "function" and node[2]:
            total -= 1
        elif kind == "try" and node[3] is not None:
            total += 5
        elif kind in ("break", "continue") and node[1]:
            total += 7
    return total


BUGS = (
    Bug("an increment", lambda program: any(node[0] == "increment" for node in nodes(program))),
    Bug(
        "an arrow function called at once",
        lambda program: any(node[0] == "call" and node[1][0] == "arrow" for node in nodes(program)),
    ),
    Bug(
        "a break to a label",
        lambda program: any(node[0] == "break" and node[1] is not None for node in nodes(program)),
    ),
)

SUBJECT = Subject("js", programs(), check, construct, admits, branch_trace(effects), BUGS, render)
