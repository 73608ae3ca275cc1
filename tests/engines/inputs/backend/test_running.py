"""`untrod inputs tests/test_x.py`: existing Hypothesis tests, unchanged, under the learner."""

from __future__ import annotations

import json

import pytest

TESTS = """
from hypothesis import assume, given, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

import pytest

@pytest.fixture(scope="module")
def limit():
    return 19

@given(xs=st.lists(st.integers(0, 20), min_size=4, max_size=10))
def test_ascending(limit, xs):
    assume(all(a <= b for a, b in zip(xs, xs[1:])))
    assert not (len(xs) >= 5 and xs[-1] == limit)

@given(st.lists(st.integers(0, 9), max_size=5))
def test_sum(xs):
    assert sum(xs) < 20

@given(st.lists(st.integers(0, 20), min_size=4, max_size=10))
def test_learnable(xs):
    assume(all(a <= b for a, b in zip(xs, xs[1:])))

def kind(n):
    return n > 0

@given(st.integers())
def test_holds(n):
    assert n == n

@given(st.sampled_from(["compile", "system"]))
def test_never(scope):
    assume(False)

def test_without_hypothesis():
    raise RuntimeError("not ours to run")

class Machine(RuleBasedStateMachine):
    @rule(n=st.integers(0, 50))
    def step(self, n):
        assert n != 7

TestMachine = Machine.TestCase
"""


@pytest.fixture
def tested(project):
    project.write("tests/test_it.py", TESTS)
    return project


def run(project, target: str, *arguments: object):
    result = project.untrod("inputs", target, "--json", *arguments)
    assert result.status in (0, 1), result.err
    return result


def test_a_failing_test_is_shrunk_replayed_and_written_as_a_plain_call(tested):
    result = run(tested, "tests/test_it.py::test_sum", "--budget", 1000)
    (finding,) = [event["finding"] for event in result.of("finding")]
    assert finding["kind"] == "failed"
    assert finding["detail"]["value"]["text"] == "{'xs': [2, 9, 9]}"
    again = json.loads(tested.untrod("replay", finding["id"], "--json").out)
    assert (again["held"], again["key"]) == (1, finding["key"])
    (written,) = result.of("test-written")
    source = (tested.folder / written["path"]).read_text()
    assert "test_sum.hypothesis.inner_test(xs=[2, 9, 9])" in source
    assert "xfail" in source


def test_fixtures_are_pytests_business(tested):
    result = run(tested, "tests/test_it.py::test_ascending", "--budget", 3000)
    (finding,) = [event["finding"] for event in result.of("finding")]
    assert finding["detail"]["test"] == "tests/test_it.py::test_ascending"
    assert finding["detail"]["exception"]["name"] == "AssertionError"


def test_state_machines_run_too(tested):
    result = run(tested, "tests/test_it.py::TestMachine", "--budget", 300)
    (finding,) = [event["finding"] for event in result.of("finding")]
    assert "step" in finding["title"]
    assert result.of("campaign-finished")[0]["reason"] == "exhausted"


def test_a_whole_folder_runs_its_hypothesis_tests_and_no_others(tested):
    result = run(tested, "tests", "--budget", 4000)
    tests = {
        event["finding"]["detail"]["test"].rpartition("test_it.py::")[2] for event in result.of("finding")
    }
    assert tests == {"test_ascending", "test_sum", "TestMachine::runTest"}
    assert "not ours to run" not in result.out
    assert any(
        "test_never" in event["text"] and "no input is valid" in event["text"]
        for event in result.of("notice")
    )


def test_what_was_learned_is_kept_for_the_next_campaign(tested):
    """And the budget holds to the call, though Hypothesis itself counts the valid examples only."""
    first = run(tested, "tests/test_it.py::test_learnable", "--budget", 600)
    assert first.of("campaign-finished")[0]["episodes"] == 600
    tables = list((tested.folder / ".untrod" / "tables").glob("hypothesis-*.json"))
    assert len(tables) == 1
    assert json.loads(tables[0].read_text())["test"] == "tests/test_it.py::test_learnable"
    run(tested, "tests/test_it.py::test_learnable", "--budget", 300)


def test_an_interrupted_campaign_resumes(tested):
    first = run(tested, "tests/test_it.py::test_holds", "--budget", 400).of("campaign-started")[0]["campaign"]
    more = tested.untrod("campaigns", "resume", first, "--budget", 800, "--json")
    assert more.of("campaign-started")[0]["resumed_at"] >= 400
    assert more.of("campaign-finished")[0]["episodes"] >= 800


def test_what_counts_as_different_is_kept_when_a_campaign_resumes(tested):
    """A bare name is looked up in the test's own module."""
    options = ("--different", "kind", "--reward", "blackbox", "--budget", 300)
    first = run(tested, "tests/test_it.py::test_holds", *options)
    assert first.of("campaign-finished")[0]["unique"] == 2
    campaign = first.of("campaign-started")[0]["campaign"]
    more = tested.untrod("campaigns", "resume", campaign, "--budget", 600, "--json")
    assert more.of("campaign-finished")[0]["unique"] == 2


def test_a_function_from_elsewhere_tells_inputs_apart(tested):
    tested.write("shapes.py", "def sign(n):\n    return (n > 0) - (n < 0)\n")
    result = run(tested, "tests/test_it.py::test_holds", "--different", "shapes.py:sign", "--budget", 300)
    assert result.of("campaign-finished")[0]["unique"] == 3


@pytest.mark.parametrize(
    ("target", "complaint"),
    [
        ("tests/test_it.py::test_without_hypothesis", "no Hypothesis tests"),
        ("tests/test_it.py::test_missing", "no Hypothesis tests"),
        ("tests/test_missing.py", "no Hypothesis tests"),
        ("tests/test_it.py --different vlaue", "did you mean value?"),
        ("tests/test_it.py --reward gray", "choose from greybox, blackbox"),
        ("tests/test_it.py --learner montecarol", "did you mean montecarlo?"),
    ],
)
def test_a_mistake_is_one_line(tested, target, complaint):
    result = tested.untrod("inputs", *target.split())
    assert result.status == 2
    assert complaint in result.err
    assert len(result.err.strip().splitlines()) == 1


def test_options_for_generators_are_refused(tested):
    result = tested.untrod("inputs", "tests/test_it.py", "--valid", "f")
    assert result.status == 2
    assert "--valid" in result.err


BAD = """
from hypothesis import given, strategies as st

@st.composite
def broken(draw):
    draw(st.integers(0, 9))
    raise KeyError("the strategy is broken")

@given(broken())
def test_strategy_raises(n): ...

@given(st.integers(5, 1))
def test_impossible_strategy(n): ...

@given(st.integers(0, 9).filter(lambda n: n > 20))
def test_filters_leave_nothing(n): ...

calls = 0

@given(st.integers(0, 9))
def test_flaky(n):
    global calls
    calls += 1
    assert calls != 30
"""


def test_tests_that_are_at_fault_themselves_get_one_clear_line_each(project):
    project.write("tests/test_bad.py", BAD)
    result = project.untrod("inputs", "tests/test_bad.py", "--budget", 1000)
    assert result.status == 1, result.err
    assert "Traceback" not in result.out + result.err
    for line in (
        "KeyError: 'the strategy is broken' (broken, tests/test_bad.py:7)",
        "Cannot have max_value=1 < min_value=5",
        "tests/test_bad.py::test_filters_leave_nothing: no input is valid; ",
        "flaky: shows in 0 of 3 replays",
    ):
        assert line in result.out


def test_valid_inputs_are_exported_as_a_corpus_that_another_campaign_begins_with(tested):
    target = "tests/test_it.py::test_learnable"
    first = run(tested, target, "--budget", 600)
    campaign = first.of("campaign-started")[0]["campaign"]
    assert tested.untrod("campaigns", "export", campaign, "--output", "corpus.ndjson").status == 0
    lines = [json.loads(line) for line in (tested.folder / "corpus.ndjson").read_text().splitlines()]
    entries = [line for line in lines if line["event"] == "corpus"]
    assert len(entries) == first.of("campaign-finished")[0]["unique"]
    assert all(entry["text"].startswith(f"{target}: {{'xs': [") for entry in entries)
    again = run(tested, target, "--corpus", "corpus.ndjson", "--budget", 200, "--store", "another")
    assert again.of("campaign-finished")[0]["valid"] > 0
    assert not [event for event in again.of("notice") if "corpus" in event["text"]]


def test_a_budget_too_small_for_one_valid_input_says_so(tested):
    """Long before Hypothesis itself would call the test unsatisfiable."""
    result = run(tested, "tests/test_it.py::test_never", "--budget", 40)
    assert result.of("campaign-finished")[0]["episodes"] == 40
    assert any("no input is valid" in event["text"] for event in result.of("notice"))
