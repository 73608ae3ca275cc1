"""Which exceptions a maintainer would want to hear of, and how urgently."""

from __future__ import annotations

import datetime

import pytest

from untrod.engines.cover.case import Input, Step
from untrod.engines.cover.rightness.judging import absurdity
from untrod.source.literals import express
from untrod.source.nodes import Call, Node, Ref

SOURCE = '''
from typing import Any, Callable, Iterable, TypeVar

Operand = TypeVar("Operand", int, str)


def major(version: str) -> int:
    if not version:
        raise ValueError("no version")
    return int(version.split(".")[1])

def share(total: int, parts: int) -> int:
    return total // parts

def first(items: list[int]) -> int:
    return items[0]

def pick(items, place):
    return items[place]

def order(items: list[int], places: list[int]) -> list[int]:
    return [items[place] for place in places]

def beyond(items: list[int]) -> int:
    return items[len(items)]

def nearby(items: list[int], place: int) -> int:
    return items[place - 1]

UNITS = {"DAY": 1}

def named(unit: str) -> int:
    return UNITS[unit.upper()]

def several(units: list[str]) -> set[int]:
    return {UNITS[unit.upper()] for unit in units}

def several_of(units: Iterable[str]) -> set[int]:
    return {UNITS[unit.upper()] for unit in units}

def shown(form: str, value: int) -> str:
    return form % value

def keep(owner, items):
    owner.items = items
    return owner.items[0]

def look(table: dict[str, int], name: str) -> int:
    return table[name]

def find(names: list[str]) -> int:
    """Raises IndexError if there is none."""
    return sorted(names)[3]

def half(n: int) -> int:
    assert n % 2 == 0, "even, please"
    return n // 2

def check(n: int) -> int:
    doubled = n * 2
    assert doubled < 100
    return doubled

def apply(function: Callable[[str], Any], text: str) -> Any:
    return function(text)

def both(one: Operand, other: Operand) -> Operand:
    return one + other

def spin(n: int) -> int:
    return spin(n) + 1

def refuses(n: int) -> int:
    return inner(n)

def inner(n):
    if n < 5:
        raise LookupError("too small")
    return n

def unbound(flag: bool) -> int:
    if flag:
        value = 1
    return value

def scaled(n: int) -> int:
    """Scale it.

    :param n: must be positive
    """
    return [1][n - 1 - n]  if n > 0 else [][n * 2]

def leaves() -> None:
    raise SystemExit(3)


class Base:
    def area(self) -> int:
        raise NotImplementedError

    def twice(self) -> int:
        return self.missing * 2


class Host:
    def __init__(self, n: int) -> None:
        self.n = n

    def shout(self) -> str:
        return self.voice.upper()

    def __getitem__(self, key: str) -> int:
        return {"a": self.n}[key]
'''


@pytest.fixture
def judge(load):
    subject = load("judged", source=SOURCE)

    def judged(*steps: tuple):
        made = [
            Step(name, tuple(one if isinstance(one, Node) else express(one) for one in arguments))
            for name, *arguments in steps
        ]
        run = subject.run(Input(f"judged:{steps[0][0]}", tuple(made)))
        assert run.error is not None
        told = subject.finding(run)
        return told and (told["kind"], told["level"], told["evidence"])

    return judged


@pytest.mark.parametrize(
    ("steps", "level"),
    [
        ([("major", "5")], "high"),
        ([("share", 6, 0)], "medium"),
        ([("first", [])], "medium"),
        ([("check", 60)], "high"),
        ([("beyond", [1, 2])], "high"),
        ([("spin", 1)], "high"),
        ([("unbound", False)], "high"),
    ],
)
def test_plain_arguments_of_the_annotated_types_accuse_the_function(judge, steps, level: str) -> None:
    kind, found, evidence = judge(*steps)
    assert (kind, found) == ("failed", level)
    assert evidence


@pytest.mark.parametrize(
    ("steps", "because"),
    [
        ([("pick", [], 3)], "nobody says"),
        ([("look", {}, "a")], "is not there"),
        ([("order", [], [0])], "is not there"),
        ([("named", "nothing")], "is not there"),
        ([("several", ["nothing"])], "is not there"),
        ([("several_of", "no")], "is not there"),
        ([("shown", "no place for it", 3)], "says too little"),
        ([("nearby", [1, 2], 7)], "is not there"),
        ([("find", ["a"])], "IndexError is documented"),
        ([("half", 3)], "asserts at its beginning"),
        ([("apply", Ref("builtins", "abs"), "x")], "a callable that was given"),
        ([("share", True, 0)], "not the type that is written down"),
        ([("both", 1, "x")], "of different types"),
        ([("refuses", 1)], "on purpose"),
        ([("scaled", 0)], 'says of n: "positive"'),
        ([("leaves",)], "on purpose"),
        ([("Base",), ("twice",)], "left to subclasses"),
        ([("Host", 1), ("shout",)], "nothing in Host sets .voice"),
        ([("Host", 1), ("__getitem__", "b")], "a container"),
    ],
)
def test_what_breaks_only_outside_of_the_contract_is_a_note(judge, steps, because: str) -> None:
    told = judge(*steps)
    if told is None:
        assert because == "on purpose"
        return
    assert told[0] in ("note", "exited")
    assert told[1] == "note"
    assert because in told[2]


def test_a_note_has_a_key_of_its_own(load) -> None:
    subject = load("judged", source=SOURCE)
    keys = []
    for parts in (0.0, 0):
        run = subject.run(Input("judged:share", (Step("share", (express(4), express(parts))),)))
        keys.append((subject.finding(run) or {"key": "none"})["key"])
    assert keys[0].startswith("note:")
    assert keys[1].startswith("failed:")


def test_a_stand_in_blames_itself(judge) -> None:
    stand_in: Node = Call(Ref("types", "SimpleNamespace"))
    _, level, because = judge(("keep", stand_in, []))
    assert (level, "stands in" in because) == ("note", True)


@pytest.mark.parametrize(
    ("values", "absurd"),
    [
        ([1, "x", [2.5]], False),
        ([float("inf")], True),
        ([{"a": [10**7]}], True),
        ([True], False),
        (["x" * 5_000], True),
        ([datetime.date(3, 1, 1)], True),
        ([datetime.date(2024, 1, 1), datetime.timedelta(3)], False),
    ],
)
def test_numbers_out_of_all_proportion(values, absurd: bool) -> None:
    assert bool(absurdity(values)) is absurd
