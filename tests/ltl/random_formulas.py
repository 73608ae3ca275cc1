"""Random formulas and traces, and the textbook's semantics of finite traces: not the product's own."""

from __future__ import annotations

from random import Random

from untrod.ltl.labels import Letter
from untrod.ltl.nodes import (
    FALSE,
    TRUE,
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

ATOMS = tuple(Atom(name, "=", "1") for name in "pqr")
LEAVES = (*ATOMS, *ATOMS, TRUE, FALSE)
KINDS = (Not, Next, WeakNext, Implies, And, Or, Eventually, Always, Until, WeakUntil, Release)


def formula(random: Random, depth: int, *, timed: bool = False) -> Formula:
    if depth == 0:
        return random.choice(LEAVES)
    kind = random.choice(KINDS)
    one = formula(random, random.randrange(depth), timed=timed)
    if kind in (Not, Next, WeakNext):
        return kind(one)
    limit = Bound(random.randrange(0, 400, 50), "ms") if timed else Bound(random.randrange(4))
    bound = random.choice((None, None, limit))
    if kind in (Eventually, Always):
        return kind(one, bound)
    other = formula(random, random.randrange(depth), timed=timed)
    if kind is Implies:
        return Implies(one, other)
    return kind((one, other)) if kind in (And, Or) else kind(one, other, bound)


def trace(random: Random, longest: int = 6, *, timed: bool = False) -> list[Letter]:
    return [
        Letter(
            frozenset((atom.name, "1") for atom in ATOMS if random.random() < 0.5),
            elapsed=random.randrange(0, 250, 50) if timed else None,
        )
        for _ in range(random.randint(1, longest))
    ]


def holds(formula: Formula, word: list[Letter], i: int = 0) -> bool:
    """Whether the trace satisfies the formula from its letter i on, word for word from the definition."""

    def later(bound: Bound | None) -> range:
        end = i
        while end < len(word) and (bound is None or distance(word, i, end, bound) <= bound.limit):
            end += 1
        return range(i, end)

    def true(part: Formula, j: int) -> bool:
        return holds(part, word, j)

    match formula:
        case Constant(value):
            return bool(value)
        case Atom(name, _, value):
            return (name, value) in word[i].pairs
        case Not(of):
            return not true(of, i)
        case And(parts):
            return all(true(part, i) for part in parts)
        case Or(parts):
            return any(true(part, i) for part in parts)
        case Implies(left, right):
            return not true(left, i) or true(right, i)
        case Next(of):
            return i + 1 < len(word) and true(of, i + 1)
        case WeakNext(of):
            return i + 1 == len(word) or true(of, i + 1)
        case Eventually(of, bound):
            return any(true(of, j) for j in later(bound))
        case Always(of, bound):
            return all(true(of, j) for j in later(bound))
        case Until(left, right, bound):
            return any(true(right, j) and all(true(left, k) for k in range(i, j)) for j in later(bound))
        case WeakUntil(left, right, bound):
            return holds(Until(left, right, bound), word, i) or all(true(left, j) for j in later(bound))
        case Release(left, right, bound):
            return all(true(right, j) or any(true(left, k) for k in range(i, j)) for j in later(bound))
    raise TypeError(formula)


def distance(word: list[Letter], i: int, j: int, bound: Bound) -> int:
    if bound.unit == "steps":
        return j - i
    return sum(letter.elapsed or 0 for letter in word[i + 1 : j + 1])
