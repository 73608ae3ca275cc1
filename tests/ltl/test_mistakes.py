"""Every mistake is told with its place and what to write instead."""

from random import Random

import pytest

from untrod.core.errors import UntrodError
from untrod.ltl.mistakes import FormulaError
from untrod.ltl.parsing import parse


@pytest.mark.parametrize(
    ("text", "column", "what", "hint"),
    [
        ("", 1, "empty", "F [text ~ Saved]"),
        ("  # only a comment", 1, "empty", "F [text ~ Saved]"),
        ("F", 2, "stops too early", "a formula must follow"),
        ("[a = b] &  ", 10, "stops too early", "a formula must follow"),
        ("F [text ~ OK", 3, "bracket is never closed", "[name ~ value]"),
        ('F [text ~ "OK]', 11, "quote is never closed", "[name ~ value]"),
        ("F [text ~ OK & [a = b]", 3, "bracket inside this bracket", "close the first one"),
        ("F [text ~ a [b] c]", 3, "bracket inside this bracket", 'quote the value: [text ~ "a [b] c"]'),
        ("([a = b] & ([c = d])", 1, "parenthesis is never closed", "close it"),
        ("[a = b])", 8, "parenthesis was never opened", "leave it out"),
        ("()", 2, "formula is missing", "[name ~ value]"),
        ("[a = b] => [c = d]", 9, "=> is not an operator", "write ->"),
        ("[a = b] && [c = d]", 9, "&& is not an operator", "write &"),
        ("[a = b] || [c = d]", 9, "|| is not an operator", "write |"),
        ("[a = b] <-> [c = d]", 9, "<-> is not an operator", "write (a -> b) & (b -> a)"),
        ("¬[a = b]", 1, "¬ is not an operator", "write !"),
        ("~[a = b]", 1, "~ is not an operator", "write !"),
        ("not [a = b]", 1, "not is not an operator", "write !"),
        ("[a = b] Until [c = d]", 9, "Until is not an operator", "write U"),
        ("[a = b] AND [c = d]", 9, "AND is not an operator", "write &"),
        ("Never [a = b]", 1, "Never is not an operator", "write G !"),
        ("saved", 1, "the word saved means nothing", "[name ~ value]"),
        ("[a = b] [c = d]", 9, "operator is missing", "&, |, -> or U"),
        ("[a = b] X [c = d]", 9, "operator is missing", "&, |, -> or U"),
        ("& [a = b]", 1, "& needs a formula on its left", "[name ~ value]"),
        ("U [a = b]", 1, "U needs a formula on its left", "[name ~ value]"),
        ("[a = b] & -> [c = d]", 11, "-> needs a formula on its left", "[name ~ value]"),
        ("F[<3] [a = b]", 2, "[<3] is not a bound", "[<=3] for steps"),
        ("F[3] [a = b]", 2, "[3] is not a bound", "[<=3] for steps"),
        ("F[<=2.5] [a = b]", 2, "[<=2.5] is not a bound", "[<=2s]"),
        ("F[<=3 minutes] [a = b]", 2, "is not a bound", "[<=2s]"),
        ("X[<=3] [a = b]", 2, "right behind F, G, U, W or R", "[<=3] for steps"),
        ("[text]", 1, "says nothing about text", "[text = true]"),
        ("[text != x]", 1, "not a label", "write ![text = x]"),
        ("[text !~ x]", 1, "not a label", "write ![text ~ x]"),
        ("[text == x]", 1, "not a label", "write [text = x]"),
        ("[text ~= x]", 1, "not a label", "write [text ~ x]"),
        ("[text ~]", 1, "has no value", '[text ~ ""]'),
        ("[= x]", 1, "has no name", "[name ~ value]"),
        ('[text ~ "a" b]', 1, "begins and ends with a quote", "inside"),
        ("[a = b] @ [c = d]", 9, "@ means nothing", "! & | -> X N F G U W R"),
        ("[a = b] \x00", 9, "means nothing", "! & | -> X N F G U W R"),
    ],
)
def test_mistakes(text, column, what, hint):
    with pytest.raises(FormulaError) as caught:
        parse(text)
    assert caught.value.column == column
    assert what in caught.value.message
    assert hint in caught.value.hint


def test_the_caret_stands_below_the_place():
    with pytest.raises(UntrodError) as caught:
        parse("F [text ~ OK] => true")
    assert str(caught.value) == (
        "column 15: => is not an operator\n"
        "  F [text ~ OK] => true\n"
        "                ^\n"
        "  write ->"
    )  # fmt: skip


def test_in_a_file_the_line_is_named():
    with pytest.raises(FormulaError) as caught:
        parse("# spec\n[a = b] &\n\t[c = d] => [e = f]\n")
    assert (caught.value.line, caught.value.column) == (3, 10)
    assert str(caught.value).splitlines()[:3] == [
        "line 3, column 10: => is not an operator",
        "   [c = d] => [e = f]",
        "           ^",
    ]


def test_no_text_ends_in_another_exception():
    random = Random(1)
    pieces = [*'[]"()UF&=~!#\\\n ', "[a = b]", "[<=", "3", "->", "x"]
    hints = 0
    for _ in range(3_000):
        try:
            parse("".join(random.choices(pieces, k=random.randrange(8))))
        except FormulaError as error:
            hints += bool(error.hint)
    assert hints > 2_000
