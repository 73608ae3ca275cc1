"""An input with holes where its scalars were."""

from __future__ import annotations

import pytest

pytest.importorskip("z3")

from untrod.engines.cover.case import Input, Step
from untrod.engines.cover.paths.python import PythonExecutors
from untrod.engines.cover.paths.template import LONGEST_TEXT, Template
from untrod.source.literals import express
from untrod.source.nodes import Atom, Call, Display, Pairs, Ref, Text
from untrod.symbolic.shapes import Bool, Int
from untrod.symbolic.shapes import Text as TextShape


def call(name: str, *nodes) -> Input:
    return Input(f"m:{name}", (Step(name, nodes),))


NESTED = call(
    "f",
    Display("[", (Atom("1"), Display("(", (Text("ab"), Atom("True"))))),
    Pairs(((Text("key"), Atom("5")),)),
    Atom("2.5"),
    Atom("None"),
)


def test_ints_bools_and_texts_become_holes_and_the_rest_stays() -> None:
    template = Template(NESTED)
    assert template.values == (1, "ab", True, 5)
    assert template.shape.shapes == (Int(), TextShape(2), Bool(), Int())
    assert str(template.input((7, "xy", False, -1))) == 'f([7, ("xy", False)], {"key": -1}, 2.5, None)'


def test_a_template_filled_with_its_own_values_is_its_input() -> None:
    assert Template(NESTED).input(Template(NESTED).values) == NESTED


def test_inputs_that_differ_in_their_leaves_share_a_key() -> None:
    key = Template(NESTED).key
    assert Template(Template(NESTED).input((7, "xy", False, -1))).key == key
    assert Template(call("f", Text("ab"))).key == Template(call("f", Text("xy"))).key
    for other in (
        call("g", Text("ab")),
        call("f", Text("abc")),
        call("f", Atom("1")),
        call("f", Atom("2.5")),
    ):
        assert Template(other).key != Template(call("f", Text("ab"))).key
    assert Template(call("f", Atom("2.5"))).key != Template(call("f", Atom("3.5"))).key


def test_long_and_empty_texts_and_keys_are_no_holes() -> None:
    given = call("f", Text("x" * (LONGEST_TEXT + 1)), Text(""), Pairs(((Text("k"), Text("v")),)))
    assert Template(given).values == ("v",)


def test_characters_that_are_not_printable_may_stay() -> None:
    (shape,) = Template(call("f", Text("a\n"))).shape.shapes
    assert isinstance(shape, TextShape)
    assert shape.alphabet is not None
    assert "\n" in shape.alphabet
    assert "z" in shape.alphabet


def test_what_c_code_makes_has_no_holes() -> None:
    made = Call(Ref("datetime", "date"), (Atom("2024"), Atom("1"), Atom("1")))
    assert Template(call("f", made)).is_empty


def test_a_template_of_numbers_alone_stands_for_every_input() -> None:
    assert Template(call("f", Atom("1"), Atom("True"))).is_complete
    assert not Template(call("f", Text("a"))).is_complete
    assert not Template(Input("m:C", (Step("C", (Atom("1"),)), Step("run")))).is_complete


def test_its_function_does_what_the_input_does(load) -> None:
    subject = load("bank")
    given = Input(
        "bank:Account",
        (
            Step("Account", (Text("Ada"),), (("limit", Atom("3")),)),
            Step("withdraw", (Atom("9"),)),  # refused: the account is frozen from then on
            Step("deposit", (Atom("4"),)),
            Step("status", kind="get"),
        ),
    )
    template = Template(given)
    assert template.values == ("Ada", 3, 9, 4)
    program = template.function(subject.branch_map.files.values())
    for values in [("Ada", 3, 9, 4), ("Bob", 10, 9, 4), ("", 3, 9, 4)]:
        try:
            found = program(*values)
        except ValueError as error:
            found = type(error)
        run = subject.run(template.input(values))
        assert found == (type(run.error) if run.error else run.value)


def test_an_executor_is_kept_for_all_inputs_of_a_template(load) -> None:
    subject = load("triangle")
    executors = PythonExecutors(subject.branch_map.files.values(), subject.entries, "lean")

    def given(*sides: int) -> Input:
        return Input("triangle:triangle", (Step("triangle", tuple(map(express, sides))),))

    first, template = executors.for_input(given(1, 2, 3))
    assert template.values == (1, 2, 3)
    assert executors.for_input(given(3, 4, 5))[0] is first
    path = first.executor.advance(
        first.executor.initial(), first.executor.follow((3, 4, 5)), max_branches=100
    )
    assert (path.status, path.value, path.inputs) == ("done", "right-angled", (3, 4, 5))


def test_every_input_has_a_name_that_does_not_depend_on_the_other_holes() -> None:
    template = Template(NESTED)
    names = [template.lvalue(f"x{number}") for number in range(5)]
    assert names == ["f.0[0]", "f.0[1][0][0]", "f.0[1][0][1]", "f.0[1][1]", "f.1[0]"]
    longer = call(
        "f", Display("[", (Atom("1"), Display("(", (Text("a"), Atom("True"))))), NESTED.steps[0].arguments[1]
    )
    assert Template(longer).lvalue("x3") == "f.1[0]"
    assert template.lvalue("of-no-hole") == "of-no-hole"


def test_the_inputs_of_a_second_call_are_others_than_those_of_the_first() -> None:
    steps = (
        Step("Stack", ()),
        Step("push", (Atom("1"),)),
        Step("pop", ()),
        Step("push", (), (("item", Atom("2")),)),
    )
    template = Template(Input("m:Stack", steps))
    assert [template.lvalue(name) for name in ("x0", "x1")] == ["push.0", "push-2.item"]
