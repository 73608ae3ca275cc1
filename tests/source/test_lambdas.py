"""Lambdas, and classes that are made on the spot: as values, as JSON, as source."""

from __future__ import annotations

import inspect
import shutil
import subprocess

import pytest

from untrod.core.shapes import Malformed
from untrod.source.codec import decode, encode
from untrod.source.evaluate import evaluate
from untrod.source.layout import flat, references, statement
from untrod.source.nodes import Atom, Call, Display, Lambda, Member, Pairs, Ref, Text
from untrod.source.simpler import leaves, simpler, weight, with_leaf

ANSWER = Lambda(("*_", "**__"), Display("[", (Atom("12"),)))
STREAM = Call(
    Call(
        Atom("type"),
        (Text("Stream"), Display("(", ()), Pairs(((Text("read"), Lambda(("*_",), Text(b"ab"))),))),
    )
)


@pytest.mark.parametrize(
    ("node", "source"),
    [
        (ANSWER, "lambda *_, **__: [12]"),
        (Lambda((), Atom("1")), "lambda: 1"),
        (Lambda(("a", "b"), Atom("a")), "lambda a, b: a"),
        (Member(Lambda(("a",), Atom("a")), "__code__"), "(lambda a: a).__code__"),
        (STREAM, 'type("Stream", (), {"read": lambda *_: b"ab"})()'),
    ],
)
def test_they_are_written_as_a_person_would_and_survive_as_json(node, source: str) -> None:
    assert flat(node) == source
    assert decode(encode(node)) == node


def test_each_call_answers_with_a_fresh_value() -> None:
    function = evaluate(ANSWER)
    first = function(1, key=2)
    first.append(3)
    assert function() == [12]


def test_what_it_says_of_its_parameters_is_so() -> None:
    function = evaluate(Lambda(("a", "b"), Atom("b")))
    assert list(inspect.signature(function).parameters) == ["a", "b"]
    assert function(1, 2) == 2
    with pytest.raises(TypeError):
        function(1)
    assert evaluate(STREAM).read() == b"ab"


@pytest.mark.parametrize(
    "body",
    [
        ["lambda", ["a b"], ["atom", "1"]],
        ["lambda", ["a", "a"], ["atom", "1"]],
        ["lambda", ["*a", "b"], ["atom", "1"]],
        ["lambda", ["***a"], ["atom", "1"]],
        ["lambda", ["a"], ["parameter", "b"]],
        ["lambda", ["a"], ["atom", "a"]],
        ["lambda", ["a=__import__('os')"], ["atom", "1"]],
        ["member", ["atom", "1"], "a; b"],
        ["call", ["text", "x"], [], []],
    ],
)
def test_no_worker_writes_code_into_a_test(body) -> None:
    with pytest.raises(Malformed):
        decode(body)


def test_simpler_ones_keep_the_form() -> None:
    made = list(simpler(STREAM))
    assert all(weight(one) < weight(STREAM) for one in made)
    assert Call(Call(Atom("type"), (Text("Stream"), Display("(", ()), Pairs(())))) in made
    assert not any('type("S' not in flat(one) for one in made), "a class keeps its name"
    assert Lambda(("*_", "**__"), Display("[", ())) in list(simpler(ANSWER))
    assert list(leaves(STREAM)) == [Text("read"), Text(b"ab")]
    assert flat(with_leaf(STREAM, Text(b"ab"), Text(b""))) == 'type("Stream", (), {"read": lambda *_: b""})()'
    assert list(leaves(Lambda(("a",), Atom("a")))) == []


def test_what_they_refer_to_is_imported() -> None:
    node = Lambda((), Call(Ref("decimal", "Decimal"), (Text("1"),)))
    assert references(node) == [Ref("decimal", "Decimal")]


def test_long_ones_are_laid_out_as_ruff_would() -> None:
    ruff = shutil.which("ruff") or pytest.skip("no ruff")
    members = tuple((Text(f"member_{n}"), Lambda(("*_",), Display("[", (Atom("1"),) * 9))) for n in range(5))
    host = Call(Call(Atom("type"), (Text("Host"), Display("(", (Ref("a", "Mixin"),)), Pairs(members))))
    source = "\n".join(statement(host, before="host = ")) + "\n"
    done = subprocess.run([ruff, "format", "-"], input=source, capture_output=True, text=True, check=True)
    assert done.stdout == source
