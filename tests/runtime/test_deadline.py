"""The watch, with the clocks in the test's hands."""

from __future__ import annotations

import pytest

from untrod.runtime.beacon import Sighting
from untrod.runtime.deadline import Deadlines, EpisodeTimeout, Interrupted, Reason, Verdict
from untrod.runtime.limits import Limits

LIMITS = Limits(episode_wall=10.0, episode_cpu=3.0, idle_wall=50.0)
RUN = Sighting(serial=1, episode=0)
NEXT = Sighting(serial=2, episode=0)
IDLE = Sighting(serial=0, episode=0)


@pytest.fixture
def watch() -> Deadlines:
    return Deadlines(LIMITS)


def test_an_episode_within_its_limits_is_fine(watch):
    assert watch.observe(RUN, 0.0, 0.0, busy=True) is Verdict.FINE
    assert watch.observe(RUN, 10.0, 3.0, busy=True) is Verdict.FINE


@pytest.mark.parametrize(
    ("now", "cpu", "cause"),
    [(10.1, 0.0, "one episode ran longer than 10 s"), (4.0, 3.1, "one episode used more than 3 s of CPU")],
)
def test_one_beyond_them_is_asked_then_asked_again_then_killed(watch, now, cpu, cause):
    watch.observe(RUN, 0.0, 0.0, busy=True)
    verdicts = [watch.observe(RUN, now + later, cpu, busy=True) for later in (0.0, 0.3, 0.6, 0.9, 1.1)]
    assert verdicts == [Verdict.STOP, Verdict.FINE, Verdict.STOP, Verdict.FINE, Verdict.KILL]
    assert watch.cause == cause


def test_the_next_run_has_its_own_deadline_even_of_the_same_episode(watch):
    watch.observe(RUN, 0.0, 0.0, busy=True)
    assert watch.observe(NEXT, 10.1, 5.0, busy=True) is Verdict.FINE
    assert watch.observe(NEXT, 20.0, 8.0, busy=True) is Verdict.FINE
    assert watch.observe(NEXT, 20.2, 8.0, busy=True) is Verdict.STOP


def test_one_that_stops_when_asked_is_not_killed(watch):
    watch.observe(RUN, 0.0, 0.0, busy=True)
    watch.observe(RUN, 10.1, 0.0, busy=True)
    assert watch.observe(NEXT, 12.0, 0.0, busy=True) is Verdict.FINE


def test_an_operation_without_episodes_ends_some_day(watch):
    watch.observe(IDLE, 0.0, 0.0, busy=True)
    assert watch.observe(IDLE, 50.0, 0.0, busy=True) is Verdict.FINE
    assert watch.observe(IDLE, 50.1, 0.0, busy=True) is Verdict.KILL


def test_episodes_between_two_looks_are_signs_of_life(watch):
    watch.observe(IDLE, 0.0, 0.0, busy=True)
    watch.observe(Sighting(serial=0, episode=9), 49.0, 0.0, busy=True)
    assert watch.observe(Sighting(serial=0, episode=9), 60.0, 0.0, busy=True) is Verdict.FINE


def test_a_worker_without_work_may_wait(watch):
    watch.observe(IDLE, 0.0, 0.0, busy=False)
    assert watch.observe(IDLE, 1e6, 0.0, busy=False) is Verdict.FINE
    watch.restart()
    assert watch.observe(IDLE, 2e6, 0.0, busy=True) is Verdict.FINE


def test_each_reason_has_its_exception():
    assert isinstance(Reason.TIMEOUT.exception(), EpisodeTimeout)
    assert isinstance(Reason.INTERRUPT.exception(), Interrupted)
    assert not issubclass(EpisodeTimeout, Exception)
