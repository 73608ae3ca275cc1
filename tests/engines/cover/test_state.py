"""What a call leaves behind: changed arguments, and the object's state."""

from __future__ import annotations

from untrod.engines.cover.case import Input, Step
from untrod.engines.cover.emit import as_test
from untrod.output.pytest_writer import Origin, render_file
from untrod.source.literals import express

SOURCE = """
class Cart:
    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.items: list[str] = []
        self._secret = 1

    def add(self, name: str) -> None:
        self.items.append(name)

    def rename(self, owner: str) -> str:
        self.owner = owner
        return "done"

def grow(items: list[int], by: int) -> int:
    items.append(by)
    return len(items)

def twice(number: int) -> int:
    return 2 * number
"""


def source(load, tmp_path, *inputs, in_tables: bool = False) -> str:
    subject = load("carts", source=SOURCE)
    cases = []
    for steps in inputs:
        made = tuple(Step(name, tuple(map(express, arguments))) for name, *arguments in steps)
        cases.append(subject.case(subject.run(Input(f"carts:{steps[0][0]}", made)), "")[0])
    origin = Origin("cover", "carts", tmp_path, (tmp_path,))
    return render_file(tmp_path / "tests", map(as_test, cases), origin, in_tables=in_tables)


def test_a_changed_argument_is_asserted(load, tmp_path) -> None:
    lines = "    items = [5]\n    assert grow(items, 1) == 2\n    assert items == [5, 1]\n"
    assert lines in source(load, tmp_path, [("grow", [5], 1)])


def test_what_an_object_holds_is_asserted_where_it_may_have_changed(load, tmp_path) -> None:
    text = source(load, tmp_path, [("Cart", "Ada"), ("add", "egg")])
    assert '    cart.add("egg")\n    assert cart.items == ["egg"]\n' in text
    assert "cart.owner" not in text
    assert "secret" not in text
    text = source(load, tmp_path, [("Cart", "Ada"), ("rename", "Bob")])
    assert '    assert cart.rename("Bob") == "done"\n    assert cart.owner == "Bob"\n' in text


def test_an_object_that_was_just_made_is_looked_at_where_nothing_else_can_be_said(load, tmp_path) -> None:
    text = source(load, tmp_path, [("Cart", "Ada")])
    assert "    assert isinstance(cart, Cart)\n" in text
    assert '    assert cart.owner == "Ada"\n    assert cart.items == []\n' in text


def test_inputs_of_one_form_are_one_test_with_parameters(load, tmp_path) -> None:
    text = source(load, tmp_path, [("twice", 1)], [("twice", 4)], in_tables=True)
    assert '@pytest.mark.parametrize(("number", "expected"), [(1, 2), (4, 8)])\n' in text
    assert "def test_twice(number, expected):\n    assert twice(number) == expected\n" in text
    alone = source(load, tmp_path, [("twice", 1)], [("twice", 4)])
    assert alone.count("def test_twice") == 2, "each is tried out by itself"
