from __future__ import annotations

import mmap
import os
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from untrod.runtime import beacon


@pytest.fixture(scope="module")
def pair():
    descriptor, view = beacon.create()
    return beacon.attach(descriptor), view


def test_the_supervisor_sees_which_episode_runs(pair):
    worker, view = pair
    worker.end()
    assert not view.look().running
    worker.begin(7)
    assert view.look().running
    assert view.look().episode == 7
    worker.end()
    assert not view.look().running


def test_two_runs_of_one_episode_can_be_told_apart(pair):
    worker, view = pair
    worker.begin(7)
    first = view.look()
    worker.end()
    worker.begin(7)
    assert view.look() != first


@given(st.lists(st.integers(0, 300), max_size=50) | st.lists(st.integers(-(2**63), 2**63 - 1), max_size=9))
def test_answers_arrive_as_they_were(pair, answers):
    worker, view = pair
    worker.begin(0)
    assert view.answers() == (None, False)
    worker.trace(answers)
    assert view.answers() == (tuple(answers), False)
    worker.end()
    assert view.answers() == (None, False)


@pytest.mark.parametrize(("answer", "kept"), [(3, beacon.SIZE - 64), (300, (beacon.SIZE - 64) // 8)])
def test_a_long_trace_is_cut_and_marked(pair, answer, kept):
    worker, view = pair
    worker.begin(0)
    worker.trace([answer] * 100_000)
    assert view.answers() == ((answer,) * kept, True)


def test_an_answer_beyond_64_bits_makes_the_trace_unknown(pair):
    worker, view = pair
    worker.begin(0)
    worker.trace([2**64])
    assert view.answers() == (None, False)


def test_a_request_reaches_only_the_run_it_names(pair):
    worker, view = pair
    worker.begin(1)
    serial = view.look().serial
    view.request(serial, 5)
    assert worker.requested() == (serial, 5)
    worker.end()
    assert worker.requested() == (0, 0)
    worker.begin(1)
    assert worker.requested()[1] == 0
    view.request(beacon.EVERY, 6)
    assert worker.requested()[1] == 6
    view.withdraw()
    assert worker.requested()[1] == 0


def test_an_abandoned_beacon_cannot_be_used():
    descriptor, view = beacon.create()
    worker = beacon.attach(descriptor)
    worker.begin(3)
    worker.abandon()
    for use in (lambda: worker.begin(4), lambda: worker.trace([1]), worker.end):
        with pytest.raises((ValueError, TypeError)):
            use()
    assert view.look().episode == 3
    view.close()


def test_nobody_else_writes_into_it_or_cuts_it_off():
    """The interpreter keeps a descriptor for a mapping, and a target may find it. To read a mapping of what
    was cut off is the end of the process that reads."""
    descriptor, view = beacon.create()
    other = os.dup(descriptor)
    worker = beacon.attach(descriptor)
    for attempt in (lambda: os.write(other, b"x"), lambda: os.ftruncate(other, 0)):
        with pytest.raises(PermissionError):
            attempt()
    with pytest.raises(PermissionError):
        mmap.mmap(other, beacon.SIZE)
    os.close(other)
    worker.begin(7)
    assert view.look().episode == 7
    view.request(1, 2)
    assert worker.requested() == (1, 2)


@pytest.mark.parametrize("width", [0, 1, 3, 8, 2**63])
@pytest.mark.parametrize("length", [0, 5, 2**63])
def test_what_a_target_has_scribbled_into_it_is_read_without_harm(width, length):
    descriptor, view = beacon.create()
    memory = mmap.mmap(descriptor, beacon.SIZE)
    memory[:40] = struct.pack("5Q", 2**64 - 1, 9, length, width, 9)
    assert view.look().episode <= 2**53
    answers, _ = view.answers()
    assert answers is None or len(answers) * width <= beacon.SIZE
    os.close(descriptor)
