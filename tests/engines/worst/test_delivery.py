"""The regression test that a search leaves behind: plain pytest, its own counter, the literal worst input."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from untrod.core.events import CorpusGrown
from untrod.core.vocabulary import Finding, Outcome, Trace
from untrod.engines.worst.costs import Allocations, Calls, Steps
from untrod.engines.worst.delivery import SLACK, WorstRecipe
from untrod.engines.worst.engine import WorstConfig
from untrod.output.pytest_writer import Origin, render_file
from untrod.runtime.loading import TargetName
from untrod.runtime.replayer import Replayed
from untrod.source.codec import encode
from untrod.source.literals import express

SORTING = """
comparisons = 0

def gnome(values):
    global comparisons
    i = 0
    while i < len(values):
        comparisons += 1
        if i and values[i - 1] > values[i]:
            values[i - 1], values[i] = values[i], values[i - 1]
            i -= 1
        else:
            i += 1
    return values

def compared():
    return comparisons

def length(values):
    return len(values)
"""
WORST = [4, 3, 2, 1]
CORPUS = [
    CorpusGrown("a", Trace((1, 2, 30, 2, 1)), "size 2"),
    CorpusGrown("b", Trace((1, 4, 90, *WORST)), "size 4"),
    CorpusGrown("c", Trace((1, 4, 70, 1, 2, 4, 3)), "size 4, not the worst"),
]


class Answers:
    """A replayer that gives the same answer to every trace but counts the costs down from a list."""

    def __init__(self, *costs, outcome=Outcome.VALID, **report):
        self.costs, self.outcome, self.report, self.asked = list(costs), outcome, report, []

    def replay(self, trace):
        self.asked.append(trace)
        cost = self.costs[len(self.asked) % len(self.costs)]
        node = express(list(trace.answers[3:]))
        value = {"text": "...", "nodes": [encode(node)]}
        return Replayed(self.outcome, "", (), {"cost": cost, "value": value, **self.report})


def recipe(cost="steps"):
    named = (
        cost if cost in ("steps", "calls", "allocations", "branches") else TargetName("sorting", cost, ".")
    )
    return WorstRecipe(WorstConfig(TargetName("sorting", "gnome", "."), (2, 4), cost=named))


def written(folder: Path, recipe, cases) -> Path:
    (folder / "sorting.py").write_text(SORTING)
    origin = Origin("worst", "sorting.py:gnome", folder, recipe.folders(folder))
    path = folder / "test_worst.py"
    path.write_text(render_file(folder, cases, origin))
    return path


def passes(path: Path) -> bool:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(path)]
    return subprocess.run(command, cwd=path.parent, capture_output=True, check=False).returncode == 0


def measured(cost, folder: Path, monkeypatch) -> int:
    (folder / "sorting.py").write_text(SORTING)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "sorting", raising=False)
    import sorting

    return cost.measure(sorting.gnome, (list(WORST),)).cost


@pytest.mark.parametrize(("name", "cost"), [("steps", Steps()), ("calls", Calls())])
def test_the_emitted_counter_counts_as_ours_does(name, cost, tmp_path, monkeypatch):
    """With the exact count as the bound the test passes; a little below, it fails."""
    exact = measured(cost, tmp_path, monkeypatch)
    (case,) = recipe(name).cases([], CORPUS, Answers(exact))
    source = written(tmp_path, recipe(name), [case])
    assert passes(source)
    bound = case.expectation.bound
    assert bound == -(-exact * 11 // 10)
    source.write_text(source.read_text().replace(f"<= {bound:_}", f"<= {round(exact * 0.9):_}"))
    assert not passes(source)


def test_memory_is_bounded_with_slack_for_the_interpreter(tmp_path, monkeypatch):
    exact = measured(Allocations(), tmp_path, monkeypatch)
    (case,) = recipe("allocations").cases([], CORPUS, Answers(exact))
    assert case.expectation.bound == -(-exact * 11 // 10) + SLACK
    source = written(tmp_path, recipe("allocations"), [case])
    assert passes(source)
    source.write_text(source.read_text().replace(f"<= {case.expectation.bound:_}", "<= 0"))
    assert not passes(source)


def test_the_worst_input_of_the_largest_size_is_the_one(tmp_path):
    replayer = Answers(90)
    (case,) = recipe().cases([], CORPUS, replayer)
    assert {trace.answers[1:3] for trace in replayer.asked} == {(4, 90)}
    assert case.name_hint == "gnome at size 4 takes at most 99 steps"
    source = written(tmp_path, recipe(), [case]).read_text()
    assert "assert steps(gnome, [4, 3, 2, 1]) <= 99" in source
    assert "untrod" not in "".join(line for line in source.splitlines() if not line.startswith("#"))


def test_paths_are_bounded_in_steps(tmp_path):
    (case,) = recipe("branches").cases([], CORPUS, Answers(6, steps=200))
    assert case.name_hint == "gnome at size 4 takes at most 220 steps"


@pytest.mark.parametrize(
    ("counter", "kind", "exact"),
    [("comparisons", "variable", 16), ("compared", "function", 16), ("length", "of result", 4)],
)
def test_a_counter_of_the_users_own_is_exact(counter, kind, exact, tmp_path):
    (case,) = recipe(counter).cases([], CORPUS, Answers(exact, counter=kind))
    source = written(tmp_path, recipe(counter), [case])
    assert passes(source), source.read_text()
    source.write_text(source.read_text().replace(f"<= {exact}", f"<= {exact - 1}"))
    assert not passes(source)


def test_no_bound_for_what_does_not_repeat():
    assert recipe().cases([], CORPUS, Answers(90, 80, 70)) == []


def test_no_bound_without_a_run():
    assert recipe().cases([], CORPUS, Answers(90, outcome=Outcome.TIMED_OUT)) == []
    assert recipe().cases([], [], Answers(90)) == []


def test_an_alarm_is_replayed_from_the_bound():
    alarm = Finding("growth:x", "growth", "worse than average", Trace((1, 4, 90, *WORST)))
    (case,) = recipe().cases([alarm], CORPUS, Answers(90))
    assert case.finding == alarm.id


def test_an_input_that_raises_is_a_known_failure(tmp_path):
    detail = {
        "exception": {"module": "builtins", "name": "TypeError"},
        "value": {"text": "gnome(...)", "nodes": [encode(express([1, "a"]))]},
    }
    finding = Finding("failed:x", "failed", "TypeError: no order", Trace((0, 2, 0)), detail)
    (case,) = recipe().cases([finding], [], Answers(90))
    assert case.finding == finding.id
    assert passes(written(tmp_path, recipe(), [case]))


def test_a_flaky_or_refused_input_is_not():
    detail = {"value": {"text": "", "nodes": [encode(express([1]))]}}
    flaky = Finding("a", "failed", "now and then", Trace(()), {**detail, "held": [1, 3]})
    refused = Finding("b", "refused", "wrote a file", Trace(()), detail)
    assert recipe().cases([flaky, refused], [], Answers(90)) == []
