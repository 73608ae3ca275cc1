"""Every run of the function goes through the environment, whatever it does."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from untrod.core.errors import UntrodError
from untrod.core.vocabulary import Outcome
from untrod.engines.worst.protocol import Attempt
from untrod.engines.worst.subject import Executors
from untrod.runtime.deadline import EpisodeTimeout, Interrupted
from untrod.symbolic.protocol import PathResult, PathStats
from untrod.symbolic.shapes import Int, List


def smallest(values: list[int]) -> int:
    values.sort()
    return values[0]


def picky(values: list[int]) -> None:
    if values[0] > values[1]:
        raise ValueError("falling")


def deep(values: list[int]) -> int:
    return deep(values)


class Scripted:
    """An executor whose one path gives these inputs."""

    name, capabilities = "scripted", frozenset()

    def __init__(self, result):
        self._result = result

    def initial(self):
        return None

    def advance(self, state, policy, *, max_branches, deadline=None):
        if isinstance(self._result, BaseException):
            raise self._result
        return self._result


def test_the_input_is_known_before_the_function_is_called(subject_of, beacon):
    def look(values: list[int]) -> None:
        seen.append((beacon.episode, beacon.answers, beacon.running))

    seen = []
    env = subject_of(look).environment(2)
    env.run(([7, -8],))
    assert seen == [(0, [0, 2, 0, 7, -8], True)]
    assert not beacon.running


def test_the_arguments_are_copied(subject_of):
    inputs = ([3, 1, 2],)
    assert subject_of(smallest).environment(3).run(inputs).counts
    assert inputs == ([3, 1, 2],)


def test_what_a_run_raises_is_part_of_the_attempt(subject_of):
    env = subject_of(picky).environment(2)
    attempt = env.run(([2, 1],))
    assert (attempt.status, attempt.cost, attempt.error) == ("raised", 1, "ValueError: falling")
    assert env.trouble is not None
    assert env.trouble.outcome is Outcome.FAILED
    assert not env.trouble.serious
    assert env.trouble.told["title"].startswith("ValueError: falling (picky, test_subject.py:")


def test_an_exception_that_was_expected_is_no_trouble(subject_of):
    env = subject_of(picky, expected=(ValueError,)).environment(2)
    assert env.run(([2, 1],)).error == "ValueError: falling"
    assert env.trouble is None


def test_the_recursion_limit_is_serious(subject_of):
    env = subject_of(deep).environment(1)
    assert env.run(([1],)).error.startswith("RecursionError")
    assert env.trouble is not None
    assert env.trouble.serious


def test_a_timeout_is_an_attempt_that_does_not_count(subject_of):
    def slow(values: list[int]) -> None:
        raise EpisodeTimeout("too long")

    env = subject_of(slow).environment(1)
    attempt = env.run(([1],))
    assert (attempt.status, attempt.counts) == ("limit", False)
    assert env.trouble is not None
    assert env.trouble.outcome is Outcome.TIMED_OUT


def test_an_interruption_gets_out(subject_of):
    def stopped(values: list[int]) -> None:
        raise Interrupted

    with pytest.raises(Interrupted):
        subject_of(stopped).environment(1).run(([1],))


def test_an_episode_that_killed_a_worker_is_not_run_again(subject_of):
    def count(values: list[int]) -> None:
        runs.append(values)

    runs = []
    subject = subject_of(count, untested={1})
    env = subject.environment(1)
    attempts = [env.run(([number],)) for number in range(3)]
    assert runs == [[0], [2]]
    assert [attempt.counts for attempt in attempts] == [True, False, True]
    assert subject.runs == 3
    assert subject.measured == 2


def test_a_symbolic_path_counts_by_its_real_run(subject_of):
    path = PathResult("done", (), inputs=([2, 1],), stats=PathStats(solver_calls=4))
    env = subject_of(picky, make_executor=lambda function, encoding: Scripted(path)).environment(2)
    attempt = env.walk(None)
    assert (attempt.cost, attempt.status, attempt.solver_calls) == (1, "raised", 4)
    assert env.trouble is not None


STOPPED = PathResult("raised", (), inputs=([2, 1],), error=EpisodeTimeout("in the function"))


@pytest.mark.parametrize("result", [PathResult("unknown", ()), EpisodeTimeout("in the solver"), STOPPED])
def test_a_path_without_an_input_is_an_attempt_all_the_same(subject_of, result):
    subject = subject_of(picky, make_executor=lambda function, encoding: Scripted(result))
    attempt = subject.environment(2).walk(None)
    assert attempt.inputs is None
    assert not attempt.counts
    assert subject.runs == 1


def test_an_interruption_of_a_path_gets_out(subject_of):
    path = PathResult("raised", (), error=Interrupted())
    with pytest.raises(Interrupted):
        subject_of(picky, make_executor=lambda function, encoding: Scripted(path)).environment(2).walk(None)


def test_a_path_that_killed_a_worker_is_not_walked_again(subject_of):
    subject = subject_of(
        picky, make_executor=lambda f, row: Scripted(AssertionError("walked")), passed_over={0}
    )
    assert subject.environment(2).walk(None) == Attempt(None, 0, "limit")


def test_random_arguments_have_the_size_and_shape(subject_of):
    env = subject_of(smallest, factory=lambda n: List(Int(0, 3), n)).environment(5)
    values = env.random(Random(1))[0]
    assert len(values) == 5
    assert set(values) <= {0, 1, 2, 3}


def test_a_function_without_annotations_is_told_how_to_get_a_shape(subject_of):
    def bare(values):
        return values

    with pytest.raises(UntrodError, match=r"no annotation.*--shape"):
        subject_of(bare).environment(3)


def rising(values: list[int]) -> int:
    return sum(left < right for left, right in pairwise(values) if left < right)


class AlwaysTrue:
    def decide(self, location, condition, history):
        return True

    def feedback(self, branch, feasible): ...


def test_a_path_can_be_broken_off_by_the_clock_and_its_input_counts(subject_of):
    subject = subject_of(rising, make_executor=Executors())
    answers = iter([False] * 3 + [True] * 99)
    subject.over = lambda: next(answers)
    attempt = subject.environment(20).walk(AlwaysTrue())
    assert attempt.cut
    assert len(attempt.branches) < 8
    assert attempt.counts, "the input that begins like this was run"


def test_a_path_can_be_broken_off_at_a_number_of_branches(subject_of):
    env = subject_of(rising, make_executor=Executors()).environment(20)
    assert len(env.walk(AlwaysTrue(), None, 5).branches) == 5
    assert not env.walk(AlwaysTrue()).cut
