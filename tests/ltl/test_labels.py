"""Letters: which atoms hold at a step, which do not, and which nobody knows."""

import pytest

from untrod.ltl import Atom, Letter

STEP = Letter.of(
    {"activity": "MainActivity", "text": ["OK", "New Game"], "checked": True, "left": 2, "screen": None}
)


@pytest.mark.parametrize(
    ("name", "operator", "value", "truth"),
    [
        ("activity", "~", "Main", True),
        ("activity", "~", "main", True),
        ("activity", "=", "Main", False),
        ("activity", "=", "MainActivity", True),
        ("activity", "=", "mainactivity", False),
        ("text", "~", "game", True),
        ("text", "=", "OK", True),
        ("text", "~", "OK New", False),
        ("checked", "=", "true", True),
        ("left", "=", "2", True),
        ("title", "~", "", False),
        ("text", "~", "", True),
        ("screen", "=", "off", None),
    ],
)
def test_contains_ignores_case_and_equals_does_not(name, operator, value, truth):
    assert STEP.truth(Atom(name, operator, value)) is truth


def test_a_prediction_knows_the_action_and_not_the_screen():
    letter = Letter.of({"actionType": "click"}, known="action")
    assert letter.truth(Atom("actionType", "=", "click")) is True
    assert letter.truth(Atom("actionDetail", "~", "OK")) is False
    assert letter.truth(Atom("text", "~", "OK")) is None


def test_both_halves_make_a_whole_letter():
    action = Letter.of({"actionType": "click"}, known="action")
    screen = Letter.of({"text": "OK"}, known="screen", elapsed=20)
    both = action | screen
    assert both == Letter.of({"actionType": "click", "text": "OK"})
    assert both.elapsed == 20
    assert both.truth(Atom("text", "~", "no")) is False


def test_time_does_not_tell_letters_apart():
    assert Letter.of({"a": 1}, elapsed=1) == Letter.of({"a": 1}, elapsed=2)
