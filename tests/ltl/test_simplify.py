"""One form for each formula, whatever way it came about."""

import pytest

from untrod.ltl import parse, simplify

A, B, C = "[a = 1]", "[b = 1]", "[c = 1]"


@pytest.mark.parametrize(
    ("long", "short"),
    [
        (f"!!{A}", A),
        (f"{A} & {A} & true", A),
        (f"{A} & !{A}", "false"),
        (f"{A} | !{A}", "true"),
        (f"{A} & ({A} | {B})", A),
        (f"{A} & (!{A} | {B})", f"{A} & {B}"),
        (f"{A} | {A} & {B}", A),
        (f"({A} | {B}) & ({A} | {B} | {C})", f"{A} | {B}"),
        (f"{B} & {A}", f"{A} & {B}"),
        (f"({A} & {B}) & ({C} & {B})", f"{A} & {B} & {C}"),
        (f"{A} -> {B}", f"{B} | !{A}"),
        (f"!({A} & {B})", f"!{A} | !{B}"),
        (f"!({A} -> {B})", f"{A} & !{B}"),
        (f"!F {A}", f"G !{A}"),
        (f"!G[<=3] {A}", f"F[<=3] !{A}"),
        (f"!({A} U {B})", f"!{A} R !{B}"),
        (f"!X {A}", f"N !{A}"),
        (f"!({A} W {B})", f"!({A} W {B})"),
        (f"G {A} & F !{A}", "false"),
        (f"F F {A}", f"F {A}"),
        (f"G G {A}", f"G {A}"),
        (f"F[<=2] F {A}", f"F[<=2] F {A}"),
        (f"F[<=0] {A}", A),
        (f"true U {A}", f"F {A}"),
        (f"false R {A}", f"G {A}"),
        (f"{A} W false", f"G {A}"),
        (f"false U {A}", A),
        (f"{A} U true", "true"),
        ("X false", "false"),
        ("N true", "true"),
        ("X true", "X true"),
        (f"F ({A} | !{A})", "true"),
        ("F[<=1s left] true", "F[<=1s left] true"),
        (f"unknown & {A}", f"{A} & unknown"),
        ("unknown | !unknown", "unknown"),
        (f"unknown & (unknown | {A})", "unknown"),
    ],
)
def test_rules(long, short):
    assert str(simplify(parse(long))) == str(parse(short))


def test_what_follows_from_a_formula_stays_finite():
    """Without the rules above, some of these grow with every letter."""
    from itertools import product

    from untrod.ltl import Letter, progress

    letters = [
        Letter(frozenset((n, "1") for n, on in zip("abc", bits, strict=True) if on))
        for bits in product((0, 1), repeat=3)
    ]
    for text in (
        f"G ({A} U (G ({B} U {C})))",
        f"(F {C}) U (G {B})",
        f"G F {A} & G (F {B} | G {C})",
        f"F ({A} & ({B} U X {C})) W {C}",
    ):
        seen = {simplify(parse(text))}
        waiting = list(seen)
        while waiting:
            state = waiting.pop()
            for letter in letters:
                rest = progress(state, letter)
                if rest not in seen:
                    seen.add(rest)
                    waiting.append(rest)
            assert len(seen) < 200
