"""Classes that are not whole are given a host; private code is called when nothing public reaches it."""

from __future__ import annotations

import pytest

from untrod.engines.cover.arms import MutationArm, RandomArm, Turns
from untrod.engines.cover.case import Input, Step
from untrod.engines.cover.emit import PRIVATE, as_test
from untrod.engines.cover.search import Exploration
from untrod.engines.cover.suite import simpler_inputs
from untrod.engines.cover.values.words import Words
from untrod.source.layout import flat
from untrod.source.nodes import Atom, Lambda, Pairs, Text


def explore(subject) -> Exploration:
    arms = [RandomArm(0), MutationArm(1)]
    return Exploration(subject, Turns(arms, 0), Words(), 0, lambda run, by, new: run.arcs)


def steps(exploration: Exploration, count: int) -> Exploration:
    while exploration.subject.runs < count and not exploration.finished:
        exploration.step()
    return exploration


MIXIN = """
class Linked:
    def link(self, deep: bool):
        if self.request.secure:
            return "https://" + self.request.host
        if deep and self.settings.get("base"):
            return self.settings["base"]
        return super().link(deep)
"""


def test_a_mixin_has_a_host_that_has_what_it_asks_for(load) -> None:
    exploration = steps(explore(load("linked", source=MIXIN)), 4_000)
    assert exploration.finished
    (host, *_) = (given for given in exploration.archive.kept if given.steps[0].kind == "host")
    assert "request" in str(host)


def test_what_a_mixin_alone_lacks_is_no_finding(load) -> None:
    subject = load("linked", source=MIXIN)
    run = subject.run(Input("linked:Linked", (Step("Linked"), Step("link", (Atom("True"),)))))
    assert isinstance(run.error, AttributeError)
    assert subject.finding(run) is None


def test_a_host_is_written_as_a_class(load) -> None:
    subject = load("linked", source=MIXIN)
    members = Pairs(((Text("request"), Lambda((), Atom("1"))), (Text("settings"), Pairs(()))))
    above = Pairs(((Text("link"), Lambda(("*_",), Text("up"))),))
    given = Input(
        "linked:Linked", (Step("Linked", (members, above), (), "host"), Step("link", (Atom("True"),)))
    )
    run = subject.run(given)
    test = as_test(subject.case(run, "")[0])
    assert isinstance(run.error, AttributeError), "a function has no `secure`"
    assert 'type("Host", (' in str(test.given) or "Host" in str(test.given)
    assert Input.from_json(given.to_json()) == given


def test_a_host_without_members_is_no_host() -> None:
    empty = Input("m:C", (Step("C", (Pairs(()), Pairs(()), Atom("1")), (), "host"),))
    assert Input("m:C", (Step("C", (Atom("1"),)),)) in list(simpler_inputs(empty))


ABSTRACT = """
from abc import ABC, abstractmethod

class Shape(ABC):
    @abstractmethod
    def area(self) -> float: ...

    @property
    @abstractmethod
    def name(self) -> str: ...

    def size(self):
        if self.area() > 10:
            return "large " + self.name
        return "small"
"""


def test_what_is_abstract_is_made_whole(load) -> None:
    exploration = steps(explore(load("shape", source=ABSTRACT)), 1_000)
    branches = exploration.subject.branch_map.branches
    assert not branches & ~exploration.covered, "what is abstract itself is never entered"


PRIVATE_CODE = """
from typing import NamedTuple

class Pair(NamedTuple):
    left: int
    right: int

def public(n: int):
    return _reached(n) + 1

def _reached(n: int):
    return n

def _alone(n: int):
    return "large" if n > 100 else "small"

class Box:
    def open(self):
        return self._key()

    def _key(self):
        return 1

    def _lid(self, n: int):
        if n == 7:
            return "seven"
        return [][n]
"""


def test_private_code_that_nothing_public_reaches_is_called_later(load) -> None:
    exploration = explore(load("private", source=PRIVATE_CODE))
    assert sorted(exploration.drawers) == ["private:Box", "private:public"], "no run for a named tuple"
    steps(exploration, 30)
    assert not exploration.is_open
    steps(exploration, 6_000)
    assert sorted(exploration.opened) == ["private:Box._lid", "private:_alone"]
    assert exploration.finished


def test_it_is_marked_and_is_no_finding(load) -> None:
    subject = load("private", source=PRIVATE_CODE)
    run = subject.run(Input("private:Box", (Step("Box"), Step("_lid", (Atom("1"),)))))
    assert isinstance(run.error, IndexError)
    assert subject.finding(run) is None
    assert as_test(subject.case(run, "")[0]).remark == PRIVATE


def test_what_is_named_is_not_private(load) -> None:
    subject = load("private:_alone", source=PRIVATE_CODE)
    assert [entry.private for entry in subject.survey.entries] == [False]


def test_what_was_opened_is_opened_again(load) -> None:
    first = steps(explore(load("private", source=PRIVATE_CODE)), 6_000)
    second = explore(load("private", source=PRIVATE_CODE))
    second.load(first.state())
    assert second.opened == first.opened
    assert list(second.drawers) == list(first.drawers)


KEYWORDS = """
class Base:
    def __init__(self, width: int = 1, **kwargs):
        self.width = width
        self.label = kwargs.pop("label", "none")

class Wide(Base):
    def __init__(self, name: str, **kwargs):
        super().__init__(**kwargs)
        self.name = name

    def shown(self):
        if self.width > 50 and self.label != "none":
            return self.label
        return self.name

def made(**options):
    return Wide("x", **options)

def read(**options):
    if "deep" in options:
        return options["deep"], options.get("level", 3)
"""


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Wide", {"name": str, "width": int, "label": str}), ("made", {"width": int, "label": str})],
)
def test_keywords_are_followed_to_where_they_are_taken(load, name: str, expected) -> None:
    entries = {entry.attribute: entry for entry in load("keywords", source=KEYWORDS).survey.entries}
    assert {p.name: p.hint for p in entries[name].makers[0].parameters} == expected


def test_keywords_that_the_code_looks_for_are_offered(load) -> None:
    entries = {entry.attribute: entry for entry in load("keywords", source=KEYWORDS).survey.entries}
    assert {p.name: p.hint for p in entries["read"].makers[0].parameters} == {"deep": None, "level": int}
    assert steps(explore(load("keywords", source=KEYWORDS)), 3_000).finished


CLOSURES = """
import functools

def limited(most: int):
    def decorate(func):
        @functools.wraps(func)
        def wrapper(*args):
            found = func(*args)
            if isinstance(found, int) and found > most:
                return most
            return found
        return wrapper
    return decorate

def adder(n: int):
    def add(m: int = 0):
        if n + m > 1000:
            return "much"
        return n + m
    return add

class Lazy:
    def __init__(self, func):
        self.func = func

    def __get__(self, obj, owner):
        if obj is None:
            return self
        obj.__dict__["value"] = value = self.func(obj)
        return value
"""


@pytest.mark.parametrize("name", ["limited", "adder", "Lazy"])
def test_what_is_returned_is_called_and_descriptors_are_read(load, name: str) -> None:
    subject = load(f"closures:{name}", source=CLOSURES)
    exploration = steps(explore(subject), 8_000)
    functions = {"limited": {4, 5, 6, 7, 8, 9, 10}, "adder": set(range(14, 19)), "Lazy": set(range(20, 31))}
    lines = functions[name]
    missing = [arc for arc in subject.branch_map.untaken(exploration.covered) if arc.start in lines]
    assert not missing


def test_what_is_returned_is_called_in_the_test_too(load) -> None:
    subject = load("closures:limited", source=CLOSURES)
    shown = Lambda(("a",), Atom("a"))
    steps_ = (
        Step("limited", (Atom("3"),)),
        Step("__call__", (shown,), (), "then"),
        Step("__call__", (Atom("9"),)),
    )
    run = subject.run(Input("closures:limited", steps_))
    assert run.value == 3
    test = as_test(subject.case(run, "")[0])
    assert [step.name for step in test.given] == ["limited", "limited"]
    assert flat(test.call) == "limited(9)"


ENDLESS = """
class Call:
    def __call__(self, n: int):
        return n

    def __getattr__(self, name):
        return Call()

call = Call()

class Caller:
    def go(self, thing):
        return call(thing), self.other(call)

def plain(thing):
    return call(thing)
"""


def test_an_object_that_has_every_attribute_ends_nothing(load) -> None:
    assert {"endless:plain", "endless:Caller"} <= set(load("endless", source=ENDLESS).drawers)
