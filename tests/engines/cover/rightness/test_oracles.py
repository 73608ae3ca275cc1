"""What must hold of a result although nothing was raised."""

from __future__ import annotations

import pytest

from untrod.engines.cover.case import Input, Step
from untrod.source.literals import express
from untrod.source.nodes import Call, Ref

SOURCE = '''
class Price:
    def __init__(self, cents: int) -> None:
        self.cents = cents

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Price) and self.cents == other.cents

    def __hash__(self) -> int:
        return hash(self.cents)

    def __lt__(self, other: "Price") -> bool:
        return self.cents < other.cents

    def __repr__(self) -> str:
        return f"Price({self.cents})"


class Odd(Price):
    def __eq__(self, other: object) -> bool:
        return self.cents < 3 and super().__eq__(other)

    __hash__ = Price.__hash__


class Hashed(Price):
    def __eq__(self, other: object) -> bool:
        return super().__eq__(other)

    def __hash__(self) -> int:
        return id(self)


class Order(Price):
    def __lt__(self, other: "Price") -> bool:
        return True


class Shown(Price):
    def __eq__(self, other: object) -> bool:
        return super().__eq__(other)

    __hash__ = Price.__hash__

    def __repr__(self) -> str:
        return "Shown(0)"


class Copied(Price):
    def __eq__(self, other: object) -> bool:
        return super().__eq__(other)

    __hash__ = Price.__hash__

    def __copy__(self) -> "Copied":
        return Copied(0)


def dumps(value: int) -> str:
    return str(abs(value))

def loads(text: str) -> int:
    return int(text)

def encode(value: int) -> str:
    return str(value)

def decode(text: str) -> int:
    return int(text)

def trim(text: str) -> str:
    """Idempotent: what it has made stays as it is."""
    return text[1:]
'''


@pytest.fixture
def told(load):
    subject = load("promises", source=SOURCE)

    def found(*steps: tuple) -> str:
        made = [
            Step(name, tuple(one if isinstance(one, Call) else express(one) for one in arguments))
            for name, *arguments in steps
        ]
        run = subject.run(Input(f"promises:{steps[0][0]}", tuple(made)))
        assert run.error is None
        finding = subject.finding(run)
        return "" if finding is None else str(finding["key"]).split(":")[1]

    return found


@pytest.mark.parametrize(
    ("steps", "broken"),
    [
        ([("Price", 5)], ""),
        ([("Odd", 5)], "reflexive"),
        ([("Odd", 2)], ""),
        ([("Hashed", 5)], "hash"),
        ([("Shown", 5)], "repr"),
        ([("Shown", 0)], ""),
        ([("Copied", 5)], "copy"),
        ([("Order", 5), ("__lt__", Call(Ref("promises", "Order"), (express(3),)))], "order"),
        ([("Price", 1), ("__lt__", Call(Ref("promises", "Price"), (express(3),)))], ""),
        ([("loads", "-5")], "round-trip"),
        ([("loads", "5")], ""),
        ([("decode", "-5")], ""),
        ([("trim", "abc")], "idempotent"),
        ([("trim", "")], ""),
    ],
)
def test_a_promise_is_kept_or_told(told, steps, broken: str) -> None:
    assert told(*steps) == broken
