"""How bad a finding is, why it is believed, and which findings have one cause."""

from __future__ import annotations

import json

import pytest

from untrod.output.severity import LEVELS, cause_of, evidence_of, is_small, level_of, rank_of


def by(text: str, **detail):
    return {"value": {"text": text}, **detail}


def raised(name: str, place: str = "a.py:3", **detail):
    return {"exception": {"module": "builtins", "name": name}, "place": place, **detail}


SYSTEM = f'  File "{json.__file__}", line 4, in loads\n    x\n'
OWN = '  File "/home/ann/pkg/a.py", line 3, in walk\n    x\n'


@pytest.mark.parametrize(
    ("kind", "detail", "level"),
    [
        ("crashed", {}, "critical"),
        ("timed-out", by("wrap('a b', -1)"), "critical"),
        ("timed-out", by("wrap('a b', 6087132615816760247)"), "note"),
        ("timed-out", by("parse('P1000000000D')"), "note"),
        ("timed-out", by("f(1e9)"), "note"),
        ("timed-out", by("f(float('inf'))"), "note"),
        ("timed-out", by(repr("a" * 400)), "note"),
        ("timed-out", {}, "note"),
        ("timed-out", by("n=3", test="tests/test_a.py::test_it"), "high"),
        ("out-of-memory", by("f(3)"), "high"),
        ("out-of-memory", by("f(10 ** 9, 99999999)"), "note"),
        ("failed", by("f(3)", **raised("RecursionError")), "high"),
        ("failed", by("f(99999)", **raised("RecursionError")), "note"),
        ("failed", by("f(99999)", **raised("ValueError")), "high"),
        ("failed", raised("AssertionError", "case.py:687", traceback=SYSTEM), "note"),
        ("failed", raised("ValueError", traceback=OWN + SYSTEM), "high"),
        ("exited", raised("SystemExit"), "low"),
        ("exited", {}, "high"),
        ("growth", {}, "medium"),
        ("witness", {}, "note"),
        ("dull", {}, "medium"),
        ("failed", {"level": "medium"}, "medium"),
        ("failed", {"level": "medium", "held": [2, 5]}, "low"),
        ("witness", {"held": [2, 5]}, "note"),
        (
            "failed",
            {"level": "terrible", "held": "often", "value": 3, "exception": 4, "traceback": 5},
            "high",
        ),
    ],
)
def test_the_level(kind, detail, level):
    assert level_of(kind, detail) == level
    assert level in LEVELS
    assert evidence_of(kind, detail)


def test_what_the_engine_says_of_its_evidence_counts():
    assert evidence_of("failed", {"evidence": "the docstring\nstates it"}) == r"the docstring\nstates it"
    assert evidence_of("failed", {"evidence": 3}) == "an exception that the code does not catch"


def test_a_short_certain_input_comes_first():
    short, long, flaky = by("f(1)"), by("f([1, 2, 3])"), by("f(1)", held=[1, 3])
    assert sorted([long, flaky, short], key=lambda each: rank_of("failed", each)) == [short, long, flaky]


def test_small_is_what_a_person_would_type():
    assert is_small(by("f([1, 'abc', -3.5])"))
    assert not is_small(by("f([1, 100_000])"))
    assert not is_small(by(""))


def test_one_exception_at_one_place_is_one_cause():
    one = cause_of("failed:KeyError:a.py:3", "failed", raised("KeyError"), "a.py")
    assert one == cause_of("failed:KeyError:a.py:3:tests/t.py::t", "failed", raised("KeyError"), "tests/t.py")
    assert one != cause_of("failed:KeyError:a.py:4", "failed", raised("KeyError", "a.py:4"), "a.py")
    assert one != cause_of("failed:TypeError:a.py:3", "failed", raised("TypeError"), "a.py")


def test_a_hang_is_one_cause_wherever_in_the_function_the_clock_struck():
    causes = {
        cause_of("", "timed-out", raised("EpisodeTimeout", f"pkg/a.py:{line}", traceback=OWN))
        for line in (3, 4)
    }
    assert len(causes) == 1


def test_deaths_of_workers_are_causes_of_their_target():
    key = "crashed:it died of SIGSEGV"
    assert cause_of(key, "crashed", {"log": ""}, "a.py") != cause_of(key, "crashed", {"log": ""}, "b.py")


def test_an_event_of_an_application_is_one_cause_whoever_saw_it():
    walked = {"event": "client-error", "session": True}
    steps = [{"events": []}, {"events": [["dialog", "hm"], ["client-error", "GET /help/17 404"]]}]
    broken = {"session": True, "reasons": [[1, "event", "=", "client-error", True]], "steps": steps}
    url = "http://app"
    seen = cause_of("client-error GET /help/0 0", "counterexample", walked, url)
    assert seen == cause_of("violate G ![event = client-error]", "counterexample", broken, url)
    assert seen != cause_of("client-error GET /other 0", "counterexample", walked, url)
    assert cause_of("a", "counterexample", {"reasons": [3], "steps": [[]]}, url) == f"{url} a"
