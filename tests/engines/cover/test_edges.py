"""What is tried when everything is covered: nothing, zero, one, minus one, equal operands."""

from __future__ import annotations

from untrod.engines.cover.case import Input, Step
from untrod.engines.cover.edges import edges_of, smaller
from untrod.source.literals import express


def given(name: str, *arguments, **keywords) -> Input:
    named = tuple((key, express(value)) for key, value in keywords.items())
    return Input(f"shop:{name}", (Step(name, tuple(map(express, arguments)), named),))


def shown(inputs) -> list[str]:
    return [str(one) for one in inputs]


def test_numbers_texts_and_lists_have_edges() -> None:
    found = shown(edges_of(given("price", 17, "egg", [4, 5])))
    for edge in ('price(0, "egg", [4, 5])', 'price(-1, "egg", [4, 5])', 'price(17, "", [4, 5])'):
        assert edge in found
    for edge in ('price(17, "egg", [])', 'price(17, "egg", [4, 4])', 'price(0, "", [])'):
        assert edge in found
    assert len(found) == len(set(found))


def test_operands_of_one_kind_are_made_equal() -> None:
    assert "span(3, 3)" in shown(edges_of(given("span", 3, 9)))


def test_keywords_have_edges_too_and_kinds_are_kept() -> None:
    found = shown(edges_of(given("scale", factor=2.5, loud=True)))
    assert "scale(factor=0.0, loud=True)" in found
    assert "scale(factor=2.5, loud=False)" in found
    assert not any("factor=0," in one for one in found)


def test_a_number_out_of_all_proportion_is_tried_small() -> None:
    assert shown(smaller(given("repeat", 10**12, "x")))[:2] == ['repeat(0, "x")', 'repeat(1, "x")']
    assert shown(smaller(given("repeat", 5, "x"))) == []
