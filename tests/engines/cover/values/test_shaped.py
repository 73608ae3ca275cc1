"""`--shape`: arguments are as a person described them, whoever makes them."""

from __future__ import annotations

from random import Random

import pytest

from untrod.core.errors import UntrodError
from untrod.engines.cover.case import Input, Step
from untrod.engines.cover.drawing import Drawer
from untrod.engines.cover.values.kinds import DrawContext
from untrod.engines.cover.values.shaped import Shaped
from untrod.engines.cover.values.words import Words
from untrod.source.evaluate import evaluate
from untrod.source.nodes import Atom, Text
from untrod.symbolic.shapes import Bool, Bytes, Const, Dict, Int, List, Tuple
from untrod.symbolic.shapes import Text as Letters

GRAPH = """
def reach(edges, start):
    if not edges[start]:
        return 0
    return 1

class Box:
    def put(self, what):
        if what == "ab":
            return 1
        return 2
"""


def graph(size):
    return List(List(Int(0, 9), size), size), Int(0, size - 1)


@pytest.fixture
def context() -> DrawContext:
    return DrawContext(Random(1), Words())


def test_all_arguments_have_one_size(context) -> None:
    shaped = Shaped(lambda edges, start: 0, graph)
    arguments = shaped.draw(context)
    for _ in range(200):
        edges, start = map(evaluate, arguments)
        assert 0 <= start < len(edges)
        assert all(len(row) == len(edges) and all(0 <= edge <= 9 for edge in row) for row in edges)
        arguments = shaped.mutate(arguments, context)


def test_every_kind_of_shape_can_be_drawn_and_changed(context) -> None:
    def factory(size):
        parts = (Bool(), Bytes(2), Dict(("a", "b"), Int()), Const([1, "x"]))
        return Tuple(parts), Letters(size, "xy"), Letters(size)

    shaped = Shaped(lambda a, b, c: 0, factory)
    seen = set()
    arguments = shaped.draw(context)
    for _ in range(100):
        assert shaped.holds(arguments)
        seen.add(str(arguments))
        arguments = shaped.mutate(arguments, context)
    assert len(seen) > 30


def test_what_comes_from_elsewhere_is_held_to_the_shape(context) -> None:
    shaped = Shaped(lambda text: 0, lambda size: Letters(size, "ab"))
    assert shaped.holds((Text("abba"),))
    assert not shaped.holds((Text("abc"),))
    assert not shaped.holds((Atom("1"),))
    assert not shaped.holds((Text("a"), Text("a")))
    assert shaped.holds(shaped.mutate((Text("zzz"),), context))


def test_a_factory_that_has_nothing_to_offer_is_refused() -> None:
    def broken(size):
        raise RuntimeError("no idea")

    with pytest.raises(UntrodError, match="no idea"):
        Shaped(lambda text: 0, broken)
    with pytest.raises(UntrodError, match="cannot be written into a test"):
        Shaped(lambda text: 0, lambda size: Const(object()))
    with pytest.raises(UntrodError, match="no integer from 2 to 1"):
        Shaped(lambda text: 0, lambda size: Int(2, 1))


def test_a_survey_gives_the_shape_to_whom_it_is_for(load, context) -> None:
    survey = load("graphs", source=GRAPH).survey
    shaped = survey.with_shape("reach", graph).with_shape("Box.put", lambda size: Letters(2, "ab"))
    reach, box = shaped.entries
    assert not reach.guessed
    assert not box.guessed
    assert reach.allows(Drawer(reach).draw(context))
    assert not reach.allows(Input(reach.name, (Step("reach", (Atom("[]"), Atom("0"))),)))
    assert not box.allows(Input(box.name, (Step("Box"), Step("put", (Text("abc"),)))))
    assert box.allows(Input(box.name, (Step("Box"), Step("put", (Text("bb"),)))))
    for name, line in (("", "which function is the shape for"), ("find", "is not called here")):
        with pytest.raises(UntrodError, match=line):
            survey.with_shape(name, graph)


def test_a_run_outside_the_shape_is_no_run(load) -> None:
    subject = load("graphs", source=GRAPH)
    subject.survey = subject.survey.with_shape("reach", graph)
    wrong = Input("graphs:reach", (Step("reach", (Atom("[[1]]"), Atom("7"))),))
    assert not subject.run(wrong).valid
