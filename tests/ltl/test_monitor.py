"""Verdicts: what is certain before the end, and what only the end decides."""

import pytest

from untrod.ltl import Letter, Monitor, Verdict, judge, parse
from untrod.ltl.monitor import LETTERS

A, B = "[a = 1]", "[b = 1]"
ON, OFF = Letter.of({"a": 1}), Letter.of({})


def test_satisfied_is_certain_once_nothing_is_left():
    monitor = Monitor(parse(f"F {A}"))
    monitor.read(OFF)
    assert monitor.judgement.verdict is Verdict.UNDECIDED
    monitor.read(ON)
    monitor.read(OFF)
    assert monitor.judgement == monitor.end()
    assert str(monitor.end()) == "satisfied at step 1, whatever follows"


def test_what_must_always_hold_holds_only_at_the_end_and_the_verdict_says_so():
    monitor = Monitor(parse(f"G {A}"))
    monitor.read(ON)
    assert monitor.judgement.verdict is Verdict.UNDECIDED
    assert str(monitor.judgement) == f"undecided after step 0: still to be shown is G {A}"
    end = monitor.end()
    assert (end.verdict, end.at_end) == (Verdict.SATISFIED, True)
    assert str(end) == f"satisfied because the trace ends at step 0: only the end shows G {A}"


def test_what_must_happen_is_violated_only_at_the_end():
    end = judge(parse(f"F {A}"), [OFF, OFF])
    assert (end.verdict, end.at_end, end.step) == (Verdict.VIOLATED, True, 1)
    assert str(end) == f"violated because the trace ends at step 1: F {A} was still open"


def test_a_violation_is_certain_at_once():
    end = judge(parse(f"G {A}"), [ON, OFF, ON])
    assert (end.verdict, end.at_end, end.step) == (Verdict.VIOLATED, False, 1)


def test_without_a_label_the_end_decides_nothing():
    end = judge(parse(A), [Letter.of({"a": None})])
    assert end.verdict is Verdict.UNDECIDED
    assert "a label it depends on is not known" in str(end)


@pytest.mark.parametrize(("length", "verdict"), [(1, "violated"), (2, "violated"), (3, "satisfied")])
def test_x_asks_for_a_step_that_is_there(length, verdict):
    assert judge(parse("X X true"), [OFF] * length).verdict == verdict


@pytest.mark.parametrize(("length", "verdict"), [(1, "satisfied"), (2, "satisfied"), (3, "violated")])
def test_the_length_of_a_trace_can_be_limited(length, verdict):
    assert judge(parse("N N false"), [OFF] * length).verdict == verdict


def test_a_trace_without_letters_is_undecided():
    assert Monitor(parse(A)).end().verdict is Verdict.UNDECIDED


def test_what_is_remembered_about_letters_is_limited():
    monitor = Monitor(parse(f"G !{A}"))
    for number in range(2 * LETTERS + 10):
        monitor.read(Letter.of({"text": number}))
    assert len(monitor.progression._readings) <= LETTERS
    assert monitor.end().verdict is Verdict.SATISFIED
