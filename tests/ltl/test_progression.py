"""Progression: unfolding, unknown labels, bounds in steps and in time."""

from random import Random

import pytest
from random_formulas import formula, holds, trace

from untrod.ltl import (
    UNKNOWN,
    Letter,
    Monitor,
    Progression,
    Verdict,
    conclude,
    expand,
    judge,
    parse,
    progress,
)
from untrod.ltl.progression import advance, restrict, tick
from untrod.ltl.simplify import simplify
from untrod.ltl.trace import FiniteTrace

A, B = "[a = 1]", "[b = 1]"
ON, OFF, BLANK = Letter.of({"a": 1}), Letter.of({}), Letter.of({"a": None})


def after(text, *letters):
    rest = parse(text)
    for letter in letters:
        rest = progress(rest, letter)
    return str(rest)


@pytest.mark.parametrize(
    ("text", "unfolded"),
    [
        (f"F {A}", f"{A} | X F {A}"),
        (f"G {A}", f"{A} & N G {A}"),
        (f"{A} U {B}", f"{B} | {A} & X ({A} U {B})"),
        (f"{A} W {B}", f"{B} | {A} & N ({A} W {B})"),
        (f"{A} R {B}", f"{B} & ({A} | N ({A} R {B}))"),
        (f"F[<=2] {A}", f"{A} | X F[<=1] {A}"),
        (f"F[<=0] {A}", A),
        (f"G[<=1s] {A}", f"{A} & N G[<=1s left] {A}"),
        (f"F[<=1s left] {A}", f"F[<=1s left] {A}"),
        (f"X F {A}", f"X F {A}"),
    ],
)
def test_expand(text, unfolded):
    assert expand(parse(text)) is simplify(parse(unfolded))


def test_bounds_in_steps_count_down():
    assert [after(f"F[<=2] {A}", *[OFF] * n) for n in range(4)] == [
        f"F[<=2] {A}",
        f"F[<=1] {A}",
        f"F[<=0] {A}",
        "false",
    ]
    assert after(f"G[<=1] {A}", ON, ON) == "true"


def test_bounds_in_time_count_from_the_step_they_are_about():
    def late(ms):
        return Letter.of({}, elapsed=ms)

    assert after(f"F[<=2s] {A}", late(9999)) == f"F[<=2s left] {A}"  # this step is where the clock starts
    assert after(f"F[<=2s] {A}", late(0), late(1500)) == f"F[<=0.5s left] {A}"
    assert after(f"F[<=2s] {A}", late(0), late(1500), late(501)) == "false"
    assert after(f"F[<=2s] {A}", late(0), late(1500), Letter.of({"a": 1}, elapsed=500)) == "true"
    assert after(f"G[<=2s] {A}", ON, late(2001)) == "true"
    assert after(f"X F[<=2s] {A}", late(0), late(5000)) == f"F[<=2s left] {A}"


def test_time_that_was_not_measured_is_unknown():
    assert after(f"F[<=2s] {A}", OFF, OFF) == "unknown"
    assert judge(parse(f"F[<=2s] {A}"), [OFF, ON]).verdict is Verdict.UNDECIDED


def test_labels_that_are_not_known_stay():
    assert str(restrict(expand(parse(f"F {A} & {B}")), BLANK)) == "false"
    assert str(restrict(expand(parse(f"F {A}")), BLANK)) == f"{A} | X F {A}"


def test_restricting_twice_is_restricting_by_both():
    action = Letter.of({"actionType": "click"}, known="action")
    screen = Letter.of({"a": 1}, known="screen")
    spec = expand(parse(f"[actionType = click] U ({A} & X {B})"))
    assert restrict(restrict(spec, action), screen) is restrict(spec, action | screen)


def test_what_was_never_read_becomes_unknown():
    assert advance(parse(A)) is UNKNOWN
    assert after(f"{A} & X {B}", BLANK) == f"{B} & unknown"
    assert after(f"{A} & X {B}", BLANK, OFF) == "false"
    assert after(f"{A} | X {A}", BLANK, ON) == "true"
    assert after(f"{A} | X {A}", BLANK, OFF) == "unknown"


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        (f"X {A}", False),
        (f"N !{A}", True),
        (f"F {A}", True),
        (f"G {A}", True),
        (f"G !{A}", False),
        (f"{B} U {A}", True),
        (f"{A} U {B}", False),
        (f"{A} W {B}", True),
        (f"{B} R {A}", True),
        ("X true", False),
        ("!X true", True),
        (f"!X {A}", True),
    ],
)
def test_the_last_step(text, truth):
    assert conclude(parse(text), ON) is truth


def test_a_clock_that_nobody_read_is_left_alone():
    spec = parse(f"F[<=2s left] {A}")
    assert tick(spec, None) is spec


def test_bounds_in_time_agree_with_the_definition():
    random = Random(11)
    for _ in range(2_000):
        spec, word = formula(random, random.randint(1, 4), timed=True), trace(random, timed=True)
        assert judge(spec, word).verdict is Verdict.of(holds(spec, word)), (str(spec), word)


def test_with_labels_missing_no_verdict_is_wrong():
    """Where progression decides in spite of them, every way to fill them in has the same verdict."""
    random = Random(12)
    decided = 0
    for _ in range(500):
        spec, word = formula(random, random.randint(1, 4)), trace(random, longest=4)
        blind = [Letter(letter.pairs - {("q", "1")}, frozenset("q")) for letter in word]
        verdict = judge(spec, blind).verdict
        if verdict is not Verdict.UNDECIDED:
            decided += 1
            for mask in range(1 << len(word)):
                filled = [
                    Letter(letter.pairs | ({("q", "1")} if mask >> i & 1 else set()))
                    for i, letter in enumerate(blind)
                ]
                assert Verdict.of(holds(spec, filled)) is verdict, (str(spec), filled)
    assert decided > 200


def test_the_whole_trace_agrees_with_progression():
    random = Random(13)
    for _ in range(1_000):
        spec, word = formula(random, random.randint(1, 4)), trace(random)
        assert FiniteTrace(word).truth(spec) is holds(spec, word), (str(spec), word)


def test_steps_are_worked_out_once():
    progression = Progression(parse(f"G ({A} -> X {B})"))
    first = progression.step(progression.start, ON)
    noise = Letter.of({"a": 1, "text": "does not occur in the formula"})
    assert progression.step(progression.start, noise) is first


def test_monitors_can_share_a_progression():
    progression = Progression(parse(f"F {A}"))
    one, other = Monitor(progression), Monitor(progression)
    one.read(ON)
    other.read(OFF)
    assert one.judgement.verdict is Verdict.SATISFIED
    assert other.judgement.verdict is Verdict.UNDECIDED


def test_a_prediction_is_what_the_whole_letter_would_begin_with():
    progression = Progression(parse(f"[actionType = click] U ({A} & X {B})"))
    click, back = (Letter.of({"actionType": kind}, known="action") for kind in ("click", "back"))
    for _ in range(2):  # the second time from the table
        assert str(progression.predict(progression.start, back)) == f"{A} & X {B}"
        assert "U" in str(progression.predict(progression.start, click))
    screen = Letter.of({"a": 1}, known="screen")
    predicted = restrict(progression.predict(progression.start, back), screen)
    assert advance(predicted) is progression.step(progression.start, back | screen).rest


def test_predictions_heed_the_clock():
    progression = Progression(parse(f"F[<=1s] {A}"))
    rest = progression.step(progression.start, Letter.of({}, elapsed=0)).rest
    assert str(progression.predict(rest, Letter.of({}, elapsed=2000))) == "false"
    assert str(progression.predict(rest, Letter.of({}, elapsed=500))) == f"X F[<=0.5s left] {A}"
