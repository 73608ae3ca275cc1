from __future__ import annotations

from typing import Literal

import pytest

from untrod.core.errors import UntrodError

MIXED = """
import enum
import functools
from abc import ABC, abstractmethod
from dataclasses import dataclass
from os.path import join
from typing import Self


def plain(a: int, b, c="x", *rest: int, key: bool, **more):
    return a


def _private(a: int):
    return a


@functools.lru_cache
def cached(n: int) -> int:
    return n


async def waits(n: int) -> int:
    return n


class Colour(enum.Enum):
    RED = (1, 0, 0)

    def bright(self) -> bool:
        return True


class Shape(ABC):
    @abstractmethod
    def area(self) -> float: ...


@dataclass
class Point(Shape):
    x: int
    y: int = 0

    @classmethod
    def parse(cls, text: str) -> Self:
        return cls(int(text))

    @classmethod
    def count(cls) -> int:
        return 0

    @staticmethod
    def origin() -> "Point":
        return Point(0)

    @property
    def norm(self) -> float:
        return 0.0

    def area(self) -> float:
        return 0.0

    def __add__(self, other):
        return Point(self.x + other.x)

    def _hidden(self):
        return 0


alias = plain
table = {}
"""


@pytest.fixture
def survey(load):
    return load("mixed", source=MIXED).survey


def test_a_module_has_its_public_functions_and_classes(survey) -> None:
    names = [entry.attribute for entry in survey.entries if not entry.private]
    assert names == ["plain", "cached", "waits", "Point", "Point.count"]
    assert [entry.attribute for entry in survey.entries if entry.private] == ["_private"]


def test_what_cannot_be_made_is_named_with_the_reason(survey) -> None:
    reasons = {refused.name: refused.reason for refused in survey.refused}
    assert reasons == {
        "mixed:Colour": "it is an enum, whose members exist already",
        "mixed:Shape": "it is abstract: area is missing",
    }


def test_parameters_have_the_types_of_annotations_and_defaults(survey) -> None:
    (maker,) = survey.entries[0].makers
    read = {p.name: (p.hint, p.source, p.required, p.keyword, p.rest) for p in maker.parameters}
    assert read == {
        "a": (int, "annotation", True, False, False),
        "b": (None, "guess", True, False, False),
        "c": (str, "default", False, False, False),
        "rest": (int, "annotation", True, False, True),
        "key": (bool, "annotation", True, True, False),
        "more": (None, "guess", False, True, True),
    }
    assert survey.entries[0].guessed == ("plain.b", "plain.more")


def test_a_class_has_ways_to_make_it_and_methods(survey) -> None:
    point = next(entry for entry in survey.entries if entry.attribute == "Point")
    assert [maker.name for maker in point.makers] == ["Point", "Point.parse", "Point.origin"]
    assert [method.name for method in point.methods if method.private] == ["_hidden"]
    assert {(method.name, method.kind) for method in point.methods if not method.private} == {
        ("norm", "get"),
        ("area", "call"),
        ("__add__", "call"),
    }
    added = next(method for method in point.methods if method.name == "__add__")
    assert added.parameters[0].hint == point.target | object, "mostly one of its own"


def test_a_single_function_can_be_named(load) -> None:
    (entry,) = load("triangle:triangle").survey.entries
    assert entry.name == "triangle:triangle"
    assert [p.hint for p in entry.makers[0].parameters] == [int, int, int]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("nothing", "nothing has no function or class of its own"),
        ("nothing:table", "nothing in nothing:table can be called: nothing:table is left out: it is dict"),
        ("nothing:Base", "it is abstract: run is missing"),
    ],
)
def test_nothing_to_call_is_an_error_of_one_line(load, name: str, line: str) -> None:
    source = (
        "from abc import ABC, abstractmethod\n"
        "table = {}\n"
        "class _Base(ABC):\n    @abstractmethod\n    def run(self): ...\n"
        "Base = _Base\n"
    ).replace("Base = _Base\n", "" if name == "nothing" else "Base = _Base\n")
    with pytest.raises(UntrodError, match=line):
        load(name, source=source)


ODD = """
from __future__ import annotations
import enum
from dataclasses import InitVar, dataclass
from functools import cached_property
from typing import NamedTuple

class Color(enum.Enum):
    RED = 1
    BLUE = 2

    def is_warm(self) -> bool:
        return self is Color.RED

class Plain(enum.Enum):
    ONE = 1

class Outer:
    class Inner:
        def depth(self) -> int:
            return 1

@dataclass
class Scaled:
    scale: InitVar[int]

    def __post_init__(self, scale: int) -> None:
        self.total = scale

    @cached_property
    def half(self) -> int:
        return self.total // 2

class Pair(NamedTuple):
    left: int
    right: str

    def larger(self) -> int:
        return self.left

class _Adder:
    def __call__(self, n: int) -> int:
        return n

adder = _Adder()

def __getattr__(name: str) -> int:
    raise AttributeError(name)
"""


def test_enums_nested_classes_named_tuples_and_callable_objects_are_called(load) -> None:
    entries = {e.attribute: e for e in load("odd", source=ODD).survey.entries if not e.private}
    hints = {
        name: [parameter.hint for parameter in entry.makers[0].parameters] for name, entry in entries.items()
    }
    assert hints == {
        "Color": [Literal[1, 2]],
        "Outer.Inner": [],
        "Scaled": [int],
        "Pair": [int, str],
        "adder": [int],
        "__getattr__": [str],
    }
    assert [method.name for method in entries["Scaled"].methods] == ["half"]
