"""Two values made one."""

from __future__ import annotations

from random import Random

from untrod.engines.cover.values.containers import spliced
from untrod.engines.cover.values.kinds import DrawContext
from untrod.engines.cover.values.words import Words
from untrod.source.nodes import Atom, Display, Node, Pairs, Text


def outcomes(own: Node, other: Node) -> set[Node]:
    return {spliced(own, other, DrawContext(Random(seed), Words())) for seed in range(300)}


def test_texts_share_a_beginning_and_an_end() -> None:
    found = {node.value for node in outcomes(Text("a=1"), Text("[b]")) if isinstance(node, Text)}
    assert found >= {"[b]", "a=1[b]", "a=1\n[b]", "a[b]", "a=b]"}
    assert {type(node.value) for node in outcomes(Text(b"ab"), Text(b"cd")) if isinstance(node, Text)} == {
        bytes
    }


def test_lists_are_joined_and_dicts_are_merged() -> None:
    one, two = Atom("1"), Atom("2")
    assert Display("[", (one, two)) in outcomes(Display("[", (one,)), Display("[", (two,)))
    assert Pairs(((one, one), (two, two))) in outcomes(Pairs(((one, one),)), Pairs(((two, two),)))


def test_what_does_not_fit_is_taken_as_it_is() -> None:
    assert outcomes(Text("a"), Atom("1")) == {Atom("1")}
    assert outcomes(Text("a"), Text(b"b")) == {Text(b"b")}
