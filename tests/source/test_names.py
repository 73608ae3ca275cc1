"""Names become source as identifiers, or not at all: there is no code that no value contained."""

from __future__ import annotations

import sys
from collections import namedtuple

import pytest

from untrod.source.codec import decode, encode
from untrod.source.layout import flat, statement
from untrod.source.literals import express, importable
from untrod.source.names import NoName, is_dotted, is_name
from untrod.source.nodes import Atom, Call, Display, Member, Pairs, Ref, Text

HOSTILE = [
    "A; import os #",
    "a\nimport os",
    "a b",
    "a()",
    "",
    "a..b",
    ".a",
    "class",
    "None",
    "a.if.b",
    "__debug__",
    "\ud800",
    "ﬁle",  # Python reads it as `file`
    "f.<locals>.C",
    "a\u202eb",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_no_identifier_has_no_source(text: str) -> None:
    assert not is_name(text)
    assert not is_dotted(text)
    for node in (
        Ref("shop", text),
        Member(Atom("made"), text),
        Call(Atom("f"), (), ((text, Atom("1")),)),
        Display("[", (Ref("shop", text),)),
        Pairs(((Text("key"), Call(Ref("shop", text))),)),
    ):
        with pytest.raises(NoName):
            flat(node)
        with pytest.raises(NoName):
            statement(node, before="x = ")


@pytest.mark.parametrize("text", ["a", "Ärger", "_", "match", "type", "__init__"])
def test_identifiers_are_names(text: str) -> None:
    assert is_name(text)
    assert is_dotted(f"a.{text}.b")
    assert not is_name(f"a.{text}")


@pytest.mark.parametrize("text", HOSTILE)
def test_a_class_so_called_cannot_be_imported(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Disguised:
        pass

    class Everything:
        def __getattr__(self, name: str) -> object:
            return self if "." in text and name != text.rpartition(".")[2] else Disguised

    Disguised.__qualname__ = text
    Disguised.__module__ = "obliging"
    monkeypatch.setitem(sys.modules, "obliging", Everything())

    assert importable(Disguised) is None


def test_a_field_that_is_no_identifier_gives_no_literal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Sly(tuple):
        _fields = ("a=1) or print('owned') or dict(b",)

        def _asdict(self) -> dict:
            return dict.fromkeys(self._fields)

    monkeypatch.setattr(sys.modules[__name__], "Sly", Sly, raising=False)
    Sly.__qualname__ = "Sly"

    assert express(Sly((1,))) is None


@pytest.mark.parametrize(
    "body",
    [
        ["atom", "__import__('os').system('owned')"],
        ["atom", "1\nimport os"],
        ["atom", "owned"],
        ["atom", "1 # owned"],
        ["atom", "007"],
        ["call", ["atom", "print"], [], []],
        ["call", ["atom", "int); owned("], [], []],
        ["call", ["atom", "1"], [], []],
        ["call", ["ref", "os", "system('owned') or len"], [], []],
        ["call", ["atom", "dict"], [], [["a=owned(), b", ["atom", "1"]]]],
        ["ref", "os", "a b"],
        ["ref", "os", ""],
        ["display", "[", [["atom", "owned()"]]],
    ],
)
def test_what_a_worker_sends_is_a_value_or_refused(body: list) -> None:
    with pytest.raises(ValueError, match=r"not|no name|without a name"):
        decode(body)


Pair = namedtuple("Pair", "left right")


@pytest.mark.parametrize(
    "value",
    [0, -7, 10**80, 1.5, -0.0, 1e22, 1e-7, float("inf"), float("nan"), True, None, 2j, Pair(1, "x")],
)
def test_values_pass(value: object) -> None:
    node = express(value)

    assert node is not None
    assert decode(encode(node)) == node
    assert decode(encode(Call(Atom("slice"), (Atom("None"),)))) == Call(Atom("slice"), (Atom("None"),))
