"""Every subject keeps its own promises: ceiling, bugs and strategy fit together."""

from __future__ import annotations

from random import Random

import pytest
from bench.inputs import subjects
from bench.inputs.subjects.base import Subject, branch_trace
from hypothesis import HealthCheck, Phase, given, seed, settings

VALUES = 1_500


@pytest.fixture(scope="module", params=subjects.NAMES)
def subject(request: pytest.FixtureRequest) -> Subject:
    return subjects.load(request.param)


def test_the_ceiling_is_valid_within_reach_of_the_strategy_and_meets_every_bug(subject: Subject) -> None:
    random, found = Random(1), set()
    for _ in range(VALUES):
        value = subject.construct(random)
        assert subject.valid(value), subject.canonical(value)
        assert subject.admits(value), subject.canonical(value)
        found |= {bug.name for bug in subject.bugs if bug.triggers(value)}

    assert found == {bug.name for bug in subject.bugs}


def test_no_bug_shows_on_every_valid_value(subject: Subject) -> None:
    random = Random(2)
    values = [subject.construct(random) for _ in range(300)]

    for bug in subject.bugs:
        assert not all(map(bug.triggers, values)), bug.name


def test_the_strategy_only_makes_what_the_subject_admits_and_the_check_can_judge(subject: Subject) -> None:
    verdicts = set()

    @seed(1)
    @settings(
        max_examples=100,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(subject.strategy)
    def draw(value: object) -> None:
        assert subject.admits(value)
        subject.canonical(value)
        verdicts.add(subject.valid(value))

    draw()
    assert verdicts == {True} if subject.name == "no-assume" else False in verdicts


def test_equal_values_have_equal_names_and_traces(subject: Subject) -> None:
    for number in range(20):
        one, other = subject.construct(Random(number)), subject.construct(Random(number))
        assert subject.canonical(one) == subject.canonical(other)
        assert subject.trace(one) == subject.trace(other)


def test_traces_tell_values_apart_but_not_all_of_them(subject: Subject) -> None:
    random = Random(3)
    values = {subject.canonical(value): value for value in (subject.construct(random) for _ in range(200))}

    assert 1 < len({subject.trace(value) for value in values.values()}) < len(values)


def _spin(times: int) -> None:
    for _ in range(times):
        pass


def test_a_trace_counts_in_powers_of_two() -> None:
    trace = branch_trace(_spin)

    assert trace(4) == trace(6)
    assert trace(4) != trace(9)
