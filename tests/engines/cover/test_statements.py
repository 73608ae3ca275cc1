"""Statements that call methods: `with`, and setting and deleting properties, are steps as calls are."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from untrod.engines.cover.arms import MutationArm, RandomArm, Turns
from untrod.engines.cover.case import Input, Step
from untrod.engines.cover.emit import as_test
from untrod.engines.cover.search import Exploration
from untrod.engines.cover.values.words import words_of
from untrod.output.pytest_verify import TestOutcome, verify
from untrod.output.pytest_writer import Origin, write_tests
from untrod.source.nodes import Atom, Call, Ref

SOURCE = """
from contextlib import asynccontextmanager, contextmanager


class Broken(Exception):
    pass


class Deal:
    def __init__(self, n: int) -> None:
        self.n = n
        self.open = False

    def __enter__(self) -> int:
        if self.n < 0:
            raise ValueError("no money")
        self.open = True
        return self.n

    def __exit__(self, kind, error, trace) -> bool:
        self.open = False
        if kind is None:
            return False
        if issubclass(kind, Broken):
            return True
        return False

    def buy(self, n: int) -> int:
        if not self.open:
            return 0
        return n


@contextmanager
def guarded(n: int):
    if n > 100:
        raise ValueError("n")
    try:
        yield n
    except KeyError:
        if n == 7:
            raise
    else:
        if n == 3:
            print("three")


@asynccontextmanager
async def later(n: int):
    if n > 10:
        yield "many"
        return
    try:
        yield "few"
    except LookupError:
        pass


class Box:
    def __init__(self) -> None:
        self._size = 0

    @property
    def size(self) -> int:
        if self._size > 50:
            return 50
        return self._size

    @size.setter
    def size(self, value: int) -> None:
        if value < 0:
            raise ValueError("negative")
        self._size = value

    @size.deleter
    def size(self) -> None:
        if self._size == 0:
            raise AttributeError("empty")
        self._size = 0


class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, owner=None):
        return getattr(obj, self.name, 0)

    def __set__(self, obj, value: int):
        if value <= 0:
            raise ValueError("not positive")
        setattr(obj, self.name, value)


class Tank:
    level = Positive()

    async def __aenter__(self):
        if self.level > 5:
            return "full"
        return self

    async def __aexit__(self, kind, error, trace):
        return kind is ValueError
"""


@pytest.fixture
def subject(load):
    return load("managers", source=SOURCE)


def error(name: str, module: str = "builtins") -> Call:
    return Call(Ref(module, name))


def given(*steps: Step) -> Input:
    return Input(f"managers:{steps[0].name}", steps)


DEAL = Step("Deal", (Atom("5"),))


def test_chance_takes_the_branches_of_managers_properties_and_descriptors(subject) -> None:
    words = words_of([sys.modules["managers"]], [SOURCE])
    arms = [RandomArm(0), MutationArm(1)]
    exploration = Exploration(subject, Turns(arms, 0), words, 0, lambda run, by, new: run.arcs)
    while subject.runs < 4_000 and not exploration.finished:
        exploration.step()
    assert subject.branch_map.untaken(exploration.covered) == []


def test_a_with_gives_what_the_manager_gives(subject) -> None:
    assert subject.run(given(DEAL, Step("__enter__", kind="with"))).value == 5


def test_its_body_may_raise_what_the_manager_swallows_or_not(subject) -> None:
    swallowed = subject.run(given(DEAL, Step("__enter__", (error("Broken", "managers"),), kind="with")))
    assert (swallowed.value, swallowed.error) == (5, None)
    passed_on = subject.run(given(DEAL, Step("__enter__", (error("KeyError"),), kind="with")))
    assert isinstance(passed_on.error, KeyError)
    assert subject.finding(passed_on) is None, "it is ours"


def test_nothing_but_an_exception_is_raised(subject) -> None:
    assert not subject.run(given(DEAL, Step("__enter__", (Atom("3"),), kind="with"))).valid


def test_an_asynchronous_one_is_driven(subject) -> None:
    later = Step("later", (Atom("20"),))
    run = subject.run(given(later, Step("__aenter__", kind="async with")))
    assert (run.value, run.driven) == ("many", "coroutine")


def test_an_input_with_statements_survives_as_a_trace(subject) -> None:
    whole = given(Step("Box"), Step("size", (Atom("3"),), kind="set"), Step("size", kind="del"))
    assert Input.from_trace(whole.trace().answers) == whole
    assert str(whole) == "Box(); .size = 3; .size deleted"


def test_the_tests_have_the_very_statements(subject, tmp_path: Path) -> None:
    box = Step("Box")
    inputs = [
        given(box, Step("size", (Atom("3"),), kind="set"), Step("size", kind="get")),
        given(box, Step("size", (Atom("-3"),), kind="set")),
        given(box, Step("size", (Atom("3"),), kind="set"), Step("size", kind="del")),
        given(DEAL, Step("__enter__", kind="with")),
        given(DEAL, Step("__enter__", (error("ValueError"),), kind="with")),
        given(Step("guarded", (Atom("0"),)), Step("__enter__", (error("KeyError"),), kind="with")),
        given(Step("later", (Atom("20"),)), Step("__aenter__", kind="async with")),
    ]
    cases = [subject.case(subject.run(one), "hand")[0] for one in inputs]
    origin = Origin("cover", "managers.py", tmp_path, (tmp_path,))
    (path,) = write_tests(tmp_path / "tests", "managers", map(as_test, cases), origin)
    result = verify(path, project=tmp_path, timeout=300)
    assert not result.error
    assert {test.outcome for test in result.tests} == {TestOutcome.PASSED}
    source = path.read_text()
    for lines in (
        "    box.size = 3\n    assert box.size == 3\n",
        '    with pytest.raises(ValueError, match="negative"):\n        box.size = -3\n',
        "    box.size = 3\n    del box.size\n",
        "    with deal as value:\n        pass\n    assert value == 5\n",
        "    with pytest.raises(ValueError):\n        with deal:\n            raise ValueError()\n",
        "as value:\n        raise KeyError()\n    assert value == 0\n",
        "run(entered(",
    ):
        assert lines in source
