"""Verdicts are explained: which part, at which step, because of which label."""

from random import Random

import pytest
from random_formulas import formula, holds, trace

from untrod.ltl import Letter, Verdict, explain, parse

MAIN = Letter.of({"activity": "MainActivity", "text": ["Play", "About"], "actionType": "click"})
ABOUT = Letter.of({"activity": "AboutActivity", "text": ["Version 1"], "actionType": "click"})
SETTINGS = Letter.of({"activity": "Settings", "actionType": "back"})


@pytest.mark.parametrize(
    ("text", "word", "sentence"),
    [
        (
            "G ![activity ~ Settings]",
            [MAIN, ABOUT, SETTINGS],
            "Violated at step 2: at step 2 ![activity ~ Settings] did not hold, because activity was"
            ' "Settings" (part of G ![activity ~ Settings]).',
        ),
        (
            "G ![activity ~ Settings]",
            [MAIN, ABOUT],
            "Satisfied at step 1: at step 1 G ![activity ~ Settings] held, because ![activity ~ Settings]"
            " held at every step from 0 to 1, where the trace ended.",
        ),
        (
            "F [text ~ Saved]",
            [MAIN, ABOUT],
            "Violated at step 1: at step 1 F [text ~ Saved] did not hold, because [text ~ Saved] did not hold"
            " at any step from 0 to 1, where the trace ended.",
        ),
        (
            "F[<=1] [activity = Settings]",
            [MAIN, ABOUT, SETTINGS],
            "Violated at step 1: at step 1 F[<=1] [activity = Settings] did not hold, because"
            " [activity = Settings] did not hold at any step from 0 to 1, the last one within 1 step.",
        ),
        (
            "X [text ~ OK]",
            [MAIN],
            "Violated at step 0: at step 0 X [text ~ OK] did not hold, because the trace ended there.",
        ),
        (
            "[activity ~ Main] U [activity ~ About]",
            [MAIN, SETTINGS, ABOUT],
            "Violated at step 1: at step 1 [activity ~ Main] did not hold, because activity was"
            ' "Settings" (part of [activity ~ Main] U [activity ~ About]).',
        ),
        (
            "[activity ~ About] R [activity ~ Main]",
            [MAIN, MAIN],
            "Satisfied at step 1: at step 1 [activity ~ About] R [activity ~ Main] held, because"
            " [activity ~ Main] held at every step from 0 to 1, where the trace ended.",
        ),
        (
            "[activity ~ Main] W [text ~ OK]",
            [MAIN, ABOUT],
            "Violated at step 1: at step 1 [activity ~ Main] did not hold, because activity was"
            ' "AboutActivity" (part of [activity ~ Main] W [text ~ OK]).',
        ),
        (
            "F ([text ~ play] & ![checked = true])",
            [MAIN],
            'Satisfied at step 0: at step 0 [text ~ play] held, because text was "Play"; at step 0'
            " ![checked = true] held, because there was no checked"
            " (part of F ([text ~ play] & ![checked = true])).",
        ),
    ],
)
def test_sentences(text, word, sentence):
    assert str(explain(parse(text), word)) == sentence


def test_the_worked_example_names_the_steps_that_counted():
    spec = parse("X ([activity ~ Main] U ([activity ~ About] & X ([activity ~ About] U [activity ~ Main])))")
    explanation = explain(spec, [MAIN, ABOUT, MAIN])
    assert explanation.verdict is Verdict.SATISFIED
    assert [(reason.step, str(reason.formula)) for reason in explanation.reasons] == [
        (1, "[activity ~ About]"),
        (2, "[activity ~ Main]"),
    ]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("[text ~ Play] | [text ~ About]", ["[text ~ Play]"]),
        ("[text ~ Save] & [text ~ Load]", ["[text ~ Save]"]),
        ("[text ~ Save] | [text ~ Load]", ["[text ~ Save]", "[text ~ Load]"]),
        ("[text ~ Play] & [text ~ About]", ["[text ~ Play]", "[text ~ About]"]),
        ("[text ~ Play] -> [text ~ Save]", ["![text ~ Play]", "[text ~ Save]"]),
    ],
)
def test_one_part_is_enough_where_it_settles_the_matter(text, parts):
    assert [str(reason.formula) for reason in explain(parse(text), [MAIN]).reasons] == parts


def test_an_unknown_label_is_named():
    explanation = explain(parse("F [screen = off]"), [MAIN, Letter.of({"screen": None})])
    assert explanation.verdict is Verdict.UNDECIDED
    assert "because screen could not be read" in str(explanation)


def test_a_step_that_was_not_timed_is_named():
    explanation = explain(parse("F[<=2s] [activity ~ About]"), [MAIN, ABOUT])
    assert explanation.verdict is Verdict.UNDECIDED
    assert "because a step was not timed" in str(explanation)


def test_long_and_many_values_are_cut_short():
    crowded = Letter.of({"text": ["x" * 200, *(f"row {n}" for n in range(50))]})
    assert 'text was "row 0", "row 1", "row 10" and 48 more' in str(
        explain(parse("[text ~ Saved]"), [crowded])
    )
    assert len(str(explain(parse("[text ~ xxx]"), [crowded]))) < 150


def test_the_verdict_is_that_of_the_definition_and_the_reasons_hold():
    random = Random(14)
    for _ in range(1_000):
        spec, word = formula(random, random.randint(1, 5)), trace(random)
        explanation = explain(spec, word)
        assert explanation.verdict is Verdict.of(holds(spec, word))
        assert explanation.reasons
        for reason in explanation.reasons:
            assert 0 <= reason.step < len(word)
            assert str(explanation).startswith(explanation.verdict.capitalize())
