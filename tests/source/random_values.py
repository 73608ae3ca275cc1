"""Values that try every shape of literal, drawn from a seeded generator so that ruff sees them in one run."""

from __future__ import annotations

import string
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple


class Colour(Enum):
    RED = 1
    A_MEMBER_WITH_QUITE_A_LONG_NAME = 2


@dataclass(frozen=True)
class Node:
    key: Any
    left: Any = None
    children: Any = field(default=())


class Point(NamedTuple):
    x: Any
    y: Any


ALPHABET = string.ascii_letters + string.digits + " \"'\\\n\t{}#%é€日本語\x00\x1b\u202e\ud800😀ж"


def value(random: Random, depth: int = 4) -> Any:
    if depth == 0 or random.random() < 0.3:
        return scalar(random)
    kind = random.choice((list, list, tuple, dict, set, frozenset, Node, Point))
    size = random.choice((0, 1, 1, 2, 3, 6))
    if kind is dict:
        return {hashable(random): value(random, depth - 1) for _ in range(size)}
    if kind in (set, frozenset):
        return kind(hashable(random) for _ in range(size))
    if kind is Node:
        return Node(scalar(random), value(random, depth - 1), value(random, depth - 1))
    if kind is Point:
        return Point(value(random, depth - 1), scalar(random))
    return kind(value(random, depth - 1) for _ in range(size))


def hashable(random: Random) -> Any:
    return (scalar(random), scalar(random)) if random.random() < 0.2 else scalar(random)


def scalar(random: Random) -> Any:
    return random.choice(
        (
            lambda: random.choice((None, True, False, Colour.RED, Colour.A_MEMBER_WITH_QUITE_A_LONG_NAME)),
            lambda: random.randint(-1000, 1000),
            lambda: random.getrandbits(random.choice((64, 190, 200, 210, 900))) * random.choice((1, -1)),
            lambda: random.choice((0.0, -0.0, 1e16, 1e-7, 1e300, float("inf"), -1.5)),
            lambda: complex(random.random(), -0.0),
            lambda: Decimal(random.choice(("1.10", "-0", "1E+400", "0." + "123456789" * 12))),
            lambda: Fraction(random.getrandbits(random.choice((8, 150))), 7),
            lambda: text(random),
            lambda: text(random),
            lambda: random.randbytes(random.choice((0, 3, 20, 60))),
        )
    )()


def text(random: Random) -> str:
    letters = random.choice((ALPHABET, string.ascii_lowercase + " ", "日本", "\"'"))
    length = random.choice((0, 1, 8, 20, 40, 60, 70, 75, 80, 85, 200))
    return "".join(random.choices(letters, k=random.randint(length // 2, length)))
