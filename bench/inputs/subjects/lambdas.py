"""Closed, well-typed terms of the simply typed lambda calculus with integers and booleans.

A term is ("int", n), ("bool", b), ("var", name), ("add", left, right), ("less", left, right),
("if", condition, then, otherwise), ("lam", name, type, body) or ("app", function, argument); a type is
"int", "bool" or (argument, result).
"""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from bench.inputs.subjects.base import Assume, Bug, Subject, branch_trace

NAMES = ("x", "y", "z")
TYPES = ("int", "bool", ("int", "int"), ("int", "bool"))
KINDS = ("int", "bool", "var", "add", "less", "if", "lam", "app")
LEAVES = KINDS[:3]
MAX_DEPTH = 4


@st.composite
def terms(draw: st.DrawFn, depth: int = 0) -> Any:
    kind = draw(st.sampled_from(KINDS if depth < MAX_DEPTH else LEAVES))
    if kind == "int":
        return (kind, draw(st.integers(0, 3)))
    if kind == "bool":
        return (kind, draw(st.booleans()))
    if kind == "var":
        return (kind, draw(st.sampled_from(NAMES)))
    if kind == "lam":
        return (kind, draw(st.sampled_from(NAMES)), draw(st.sampled_from(TYPES)), draw(terms(depth + 1)))
    if kind == "if":
        return (kind, draw(terms(depth + 1)), draw(terms(depth + 1)), draw(terms(depth + 1)))
    return (kind, draw(terms(depth + 1)), draw(terms(depth + 1)))


def check(term: Any, assume: Assume) -> None:
    assume("app" in kinds(term))
    assume("lam" in kinds(term))
    assume(is_closed(term, ()))
    assume(type_of(term, {}) == "int")
    assume("var" in kinds(term))


def kinds(term: Any) -> set[str]:
    return {term[0]}.union(*(kinds(part) for part in parts(term)))


def parts(term: Any) -> tuple[Any, ...]:
    """The terms directly inside a term."""
    if term[0] in LEAVES:
        return ()
    return tuple(term[3:] if term[0] == "lam" else term[1:])


def is_closed(term: Any, bound: tuple[str, ...]) -> bool:
    if term[0] == "var":
        return term[1] in bound
    if term[0] == "lam":
        return is_closed(term[3], (*bound, term[1]))
    return all(is_closed(part, bound) for part in parts(term))


def type_of(term: Any, scope: dict[str, Any]) -> Any:
    """The type of a term, or None when it has none."""
    kind = term[0]
    if kind in ("int", "bool"):
        return kind
    if kind == "var":
        return scope.get(term[1])
    if kind == "lam":
        result = type_of(term[3], {**scope, term[1]: term[2]})
        return None if result is None else (term[2], result)
    types = [type_of(part, scope) for part in parts(term)]
    if kind in ("add", "less"):
        if types != ["int", "int"]:
            return None
        return "int" if kind == "add" else "bool"
    if kind == "if":
        if types[0] != "bool" or types[1] != types[2]:
            return None
        return types[1]
    if not isinstance(types[0], tuple) or types[0][0] != types[1]:
        return None
    return types[0][1]


def construct(random: Random) -> Any:
    """Grows terms by their type; what the type does not ask for (an application that uses its variable)
    is found by trying again.
    """
    while True:
        term = _grow(random, "int", {}, 0)
        if {"app", "lam", "var"} <= kinds(term):
            return term


def _grow(random: Random, wanted: Any, scope: dict[str, Any], depth: int) -> Any:
    if isinstance(wanted, tuple):
        return _grow_function(random, wanted, scope, depth)
    options: list[Any] = [("var", name) for name, kind in scope.items() if kind == wanted]
    if not options or random.random() < 0.5:
        options = [("int", random.randint(0, 3)) if wanted == "int" else ("bool", random.random() < 0.5)]
    if depth >= MAX_DEPTH or random.random() < 0.2:
        return random.choice(options)
    kind = random.choice(("app", "if", "add" if wanted == "int" else "less"))
    if kind == "app" and depth + 1 < MAX_DEPTH:
        argument = random.choice(TYPES[:2] if depth + 2 >= MAX_DEPTH else TYPES)
        function = _grow_function(random, (argument, wanted), scope, depth + 1)
        return ("app", function, _grow(random, argument, scope, depth + 1))
    if kind == "if":
        branches = [_grow(random, wanted, scope, depth + 1) for _ in range(2)]
        return ("if", _grow(random, "bool", scope, depth + 1), *branches)
    kind = "add" if wanted == "int" else "less"
    return (kind, _grow(random, "int", scope, depth + 1), _grow(random, "int", scope, depth + 1))


def _grow_function(random: Random, wanted: Any, scope: dict[str, Any], depth: int) -> Any:
    argument, result = wanted
    name = random.choice(NAMES)
    return ("lam", name, argument, _grow(random, result, {**scope, name: argument}, depth + 1))


def admits(term: Any, depth: int = 0) -> bool:
    if term[0] not in (KINDS if depth < MAX_DEPTH else LEAVES):
        return False
    if term[0] == "lam" and (term[1] not in NAMES or term[2] not in TYPES):
        return False
    return all(admits(part, depth + 1) for part in parts(term))


def _any(term: Any, accepts: Any) -> bool:
    return accepts(term) or any(_any(part, accepts) for part in parts(term))


def _shadows(term: Any, bound: tuple[str, ...] = ()) -> bool:
    inner = bound
    if term[0] == "lam":
        if term[1] in bound:
            return True
        inner = (*bound, term[1])
    return any(_shadows(part, inner) for part in parts(term))


BUGS = (
    Bug("sum inside a function", lambda term: _any(term, lambda t: t[0] == "lam" and t[3][0] == "add")),
    Bug(
        "applies a comparison's branch", lambda term: _any(term, lambda t: t[0] == "if" and t[1][0] == "less")
    ),
    Bug("shadowed variable", _shadows),
)

SUBJECT = Subject(
    "lambda", terms(), check, construct, admits, branch_trace(lambda term: type_of(term, {})), BUGS
)
