"""The language: what is read, how tightly operators bind, and that what is printed is read back."""

import copy
from random import Random

import pytest
from random_formulas import formula

from untrod.core.errors import UntrodError
from untrod.ltl.nodes import (
    TRUE,
    UNKNOWN,
    Always,
    And,
    Atom,
    Bound,
    Eventually,
    Implies,
    Next,
    Not,
    Or,
    Release,
    Until,
    WeakNext,
    WeakUntil,
    atoms,
    height,
)
from untrod.ltl.parsing import DEEPEST, parse

A, B, C = (Atom(name, "=", "1") for name in "abc")


@pytest.mark.parametrize(
    ("text", "atom"),
    [
        ("[activity ~ Main]", Atom("activity", "~", "Main")),
        ("[checked=true]", Atom("checked", "=", "true")),
        ("[ text  ~  New text ]", Atom("text", "~", "New text")),
        ("[actionDetail ~ +]", Atom("actionDetail", "~", "+")),
        ("[actionObjectID = 0:0:0:0:0]", Atom("actionObjectID", "=", "0:0:0:0:0")),
        ('[text = "a ] b [ c"]', Atom("text", "=", "a ] b [ c")),
        (r'[text = "say \"hi\" \\ \n"]', Atom("text", "=", 'say "hi" \\ \n')),
        ('[text = ""]', Atom("text", "=", "")),
        ('[text = "  two  "]', Atom("text", "=", "  two  ")),
        ('[text = "= ~"]', Atom("text", "=", "= ~")),
        ("[text ~ x = y]", Atom("text", "~", "x = y")),
        ("[data-id.x ~ größe]", Atom("data-id.x", "~", "größe")),
        ("[text ~ # 1]", Atom("text", "~", "# 1")),
    ],
)
def test_atoms(text, atom):
    assert parse(text) is atom
    assert parse(str(atom)) is atom


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("![a = 1]", Not(A)),
        ("X N [a = 1]", Next(WeakNext(A))),
        ("GF[a = 1]", Always(Eventually(A, None), None)),
        ("true", TRUE),
        ("unknown", UNKNOWN),
        ("F[<=3] [a = 1]", Eventually(A, Bound(3))),
        ("F [ <= 3 ] [a = 1]", Eventually(A, Bound(3))),
        ("G[<=2s] [a = 1]", Always(A, Bound(2000, "ms"))),
        ("G[<=1.5s] [a = 1]", Always(A, Bound(1500, "ms"))),
        ("G[<=250ms] [a = 1]", Always(A, Bound(250, "ms"))),
        ("F[<=250ms left] [a = 1]", Eventually(A, Bound(250, "ms", True))),
        ("[a = 1] U[<=3] [b = 1]", Until(A, B, Bound(3))),
        ("[a = 1] W [b = 1]", WeakUntil(A, B, None)),
        ("[a = 1] R[<=1s] [b = 1]", Release(A, B, Bound(1000, "ms"))),
        ("# why\n[a = 1] # because\n & [b = 1]", And((A, B))),
    ],
)
def test_operators(text, formula):
    assert parse(text) is formula


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("![a=1] U [b=1]", Until(Not(A), B, None)),
        ("X [a=1] & [b=1]", And((Next(A), B))),
        ("[a=1] & [b=1] U [c=1]", And((A, Until(B, C, None)))),
        ("[a=1] | [b=1] & [c=1]", Or((A, And((B, C))))),
        ("[a=1] -> [b=1] | [c=1]", Implies(A, Or((B, C)))),
        ("[a=1] U [b=1] U [c=1]", Until(A, Until(B, C, None), None)),
        ("[a=1] U [b=1] R [c=1]", Until(A, Release(B, C, None), None)),
        ("[a=1] -> [b=1] -> [c=1]", Implies(A, Implies(B, C))),
        ("[a=1] & [b=1] & [c=1]", And((A, B, C))),
        ("[a=1] & ([b=1] & [c=1])", And((A, And((B, C))))),
        ("([a=1] -> [b=1]) -> [c=1]", Implies(Implies(A, B), C)),
    ],
)
def test_precedence(text, formula):
    assert parse(text) is formula


def test_printing_uses_as_few_parentheses_as_possible():
    source = "((X(([a = 1])) & ([b = 1])) | ((([a = 1]) U ([b = 1] U [c = 1]))) -> (G(F([c = 1]))))"
    assert str(parse(source)) == "X [a = 1] & [b = 1] | [a = 1] U [b = 1] U [c = 1] -> G F [c = 1]"


@pytest.mark.parametrize("timed", [False, True])
def test_whatever_is_printed_is_read_back(timed):
    random = Random(6)
    for _ in range(400):
        made = formula(random, random.randint(1, 6), timed=timed)
        assert parse(str(made)) is made


def test_any_value_is_printed_so_that_it_is_read_back():
    random = Random(7)
    alphabet = 'ab[]"\\=~ \n\t#<>\u00a0\u2028é'
    for _ in range(500):
        atom = Atom("text", "~", "".join(random.choices(alphabet, k=random.randrange(6))))
        assert parse(str(atom)) is atom


def test_the_same_formula_is_the_same_object():
    one = parse("F ([a = 1] & X [b = 1])")
    assert one is Eventually(And((A, Next(B))), None)
    assert copy.deepcopy(one) is one


def test_formulas_have_no_truth_of_their_own():
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(A)


def test_atoms_come_once_and_in_order():
    assert atoms(parse("X [b=1] & ([a=1] U [b=1]) -> [c=1]")) == (B, A, C)


def test_deep_formulas_are_refused_before_anything_recurses():
    assert height(parse("X " * (DEEPEST - 1) + "[a = 1]")) == DEEPEST
    with pytest.raises(UntrodError, match="nested more than"):
        parse("(" * 5000 + "X " * DEEPEST + "[a = 1]" + ")" * 5000)


def test_the_deepest_formula_can_be_followed():
    from untrod.ltl import Letter, explain, judge, satisfiable, sentence

    spec = parse("X ([a = 1] & " * (DEEPEST // 2 - 1) + "[a = 1]" + ")" * (DEEPEST // 2 - 1))
    word = [Letter.of({"a": 1})] * DEEPEST
    assert judge(spec, word).verdict == "satisfied"
    assert explain(spec, word).verdict == "satisfied"
    assert satisfiable(spec).possible
    assert parse(str(spec)) is spec
    assert sentence(spec)


def test_a_formula_as_long_as_a_book_is_refused():
    with pytest.raises(UntrodError, match="too long"):
        parse("[a = 1] & " * 20_000 + "true")
