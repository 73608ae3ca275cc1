"""Contradictions are found before a campaign is started, and a depth that cannot be reached, too."""

from itertools import product
from random import Random

import pytest
from random_formulas import ATOMS, formula, holds

from untrod.core.errors import UntrodError
from untrod.ltl import Letter, depth, judge, parse, require_steps, satisfiable

A, B = "[a = 1]", "[b = 1]"


@pytest.mark.parametrize(
    "text",
    [
        f"{A} & !{A}",
        f"G {A} & F !{A}",
        f"G ({A} -> X {B}) & G ({B} -> X {A}) & F {A}",
        "G X true",
        "X X X true & N N false",
        f"({A} U {B}) & G !{B}",
        "F ([activity = Main] & [activity = About])",
        "F ([activity = Main] & [activity ~ About])",
        "[text = OK] & ![text ~ o]",
        "[text ~ New Game] & ![text ~ game]",
    ],
)
def test_contradictions(text):
    assert satisfiable(parse(text)).possible is False


@pytest.mark.parametrize(
    ("text", "length"),
    [
        (f"{A}", 1),
        (f"X {A}", 2),
        (f"F ({A} & X ({B} & X {A}))", 3),
        ("[text = OK] & [text = Cancel]", 1),
        ("[activity ~ Main] & [activity ~ Activity]", 1),
        (f"G ({A} -> X {B}) & F {A}", 2),
        (f"X({A} U ({B} & X ({B} U {A})))", 3),
        ("true", 1),
    ],
)
def test_the_witness_is_as_short_as_can_be(text, length):
    answer = satisfiable(parse(text))
    assert answer.possible
    assert len(answer.witness) == length


def test_the_witness_satisfies_the_formula():
    spec = parse(f"F ({A} & X F ({B} & X !{A})) & G ({B} -> {A})")
    word = [Letter.of({atom.name: atom.value for atom in step.holds}) for step in satisfiable(spec).witness]
    assert judge(spec, word).verdict == "satisfied"


def test_it_gives_up_rather_than_run_on():
    many = " & ".join(f"F ([x{n} = 1] & X F ![x{n} = 1])" for n in range(12))
    answer = satisfiable(parse(f"{many} & G X true"), limit=500)
    assert answer.possible is None
    assert answer.looked_at == 500


def test_bounds_in_time_are_not_decided():
    assert satisfiable(parse(f"F[<=2s] {A}")).possible is None


def test_it_agrees_with_trying_all_short_traces():
    random = Random(3)
    letters = [
        Letter(frozenset((atom.name, "1") for atom, on in zip(ATOMS, bits, strict=True) if on))
        for bits in product((0, 1), repeat=3)
    ]
    words = [list(word) for length in (1, 2, 3) for word in product(letters, repeat=length)]
    contradictions = 0
    for _ in range(150):
        spec = formula(random, random.randint(1, 3))
        answer = satisfiable(spec)
        assert answer.possible is not None
        shortest = next((len(word) for word in words if holds(spec, word)), None)
        if answer.possible and len(answer.witness) <= 3:
            assert len(answer.witness) == shortest
        else:
            assert shortest is None
            contradictions += not answer.possible
        if answer.possible:
            assert depth(spec) < len(answer.witness)
    assert contradictions > 5


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        (A, 0),
        (f"X {A}", 1),
        (f"X X {A} | X {A}", 1),
        (f"X X {A} & X {A}", 2),
        (f"F (X X {A})", 2),
        (f"N N N {A}", 0),
        (f"!N N !{A}", 2),
        (f"X({A} U ({B} & X ({B} U {A})))", 2),
        (f"X X {A} W {B}", 0),
    ],
)
def test_depth_is_the_steps_that_cannot_be_avoided(text, steps):
    assert depth(parse(text)) == steps


def test_a_formula_deeper_than_an_episode_is_refused():
    spec = parse(f"X X X {A}")
    require_steps(spec, 3)
    with pytest.raises(UntrodError) as caught:
        require_steps(spec, 2)
    assert caught.value.message == "to satisfy X X X [a = 1] takes at least 3 steps, and an episode has 2"
    assert caught.value.hint == "use --steps 3 or more"


def test_to_break_a_rule_may_take_steps_as_well():
    rule = parse(f"N N N {A}")
    require_steps(rule, 0)
    with pytest.raises(UntrodError, match=r"to break .* at least 3 steps"):
        require_steps(rule, 2, violate=True)
