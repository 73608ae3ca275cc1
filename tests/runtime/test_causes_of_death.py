from __future__ import annotations

import pytest

from untrod.core.vocabulary import Outcome
from untrod.runtime.beacon import Farewell
from untrod.runtime.supervisor import Evidence, examine


@pytest.mark.parametrize(
    ("evidence", "outcome", "cause"),
    [
        (Evidence(status=0), Outcome.EXITED, "exit status 0"),
        (Evidence(status=3), Outcome.EXITED, "exit status 3"),
        (Evidence(status=-11), Outcome.CRASHED, "SIGSEGV"),
        (Evidence(status=-6), Outcome.CRASHED, "SIGABRT"),
        (Evidence(status=-45), Outcome.CRASHED, "signal 45"),
        (Evidence(status=-9, overdue="too long"), Outcome.TIMED_OUT, "too long"),
        (Evidence(status=-9, cut_off=True), Outcome.CRASHED, "the target closed untrod's descriptors"),
        (Evidence(status=4, cut_off=True), Outcome.EXITED, "exit status 4"),
        (Evidence(status=1, farewell=Farewell.OUT_OF_MEMORY), Outcome.OUT_OF_MEMORY, "memory ran out"),
        (
            Evidence(status=1, farewell=Farewell.LOST_CONTACT),
            Outcome.CRASHED,
            "the target closed untrod's descriptors",
        ),
        (Evidence(status=-9, oom_kills=0), Outcome.CRASHED, "SIGKILL"),
        (
            Evidence(status=-9, oom_kills=1),
            Outcome.OUT_OF_MEMORY,
            "SIGKILL, most likely by the kernel's out-of-memory killer",
        ),
        (
            Evidence(status=-9, oom_kills=-1),
            Outcome.OUT_OF_MEMORY,
            "SIGKILL, most likely by the kernel's out-of-memory killer",
        ),
        (
            Evidence(status=-9, garbled="the target wrote into untrod's pipe: not a frame"),
            Outcome.CRASHED,
            "the target wrote into untrod's pipe: not a frame",
        ),
    ],
)
def test_the_cause_of_death(evidence, outcome, cause):
    assert examine(evidence) == (outcome, cause)
