"""What a worker died of, told from its exit status and what it left in the beacon."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from enum import IntEnum

from untrod.core.vocabulary import Outcome


class Farewell(IntEnum):
    """The last word of a worker that can no longer speak: stored in the beacon."""

    NONE = 0
    OUT_OF_MEMORY = 1
    LOST_CONTACT = 2
    BROKEN = 3  # our own code failed right after the target's: the target damaged what it stands on


@dataclass(frozen=True, slots=True)
class Evidence:
    """`status` as in `Popen.returncode`; `overdue` is the exceeded limit if the supervisor killed for one."""

    status: int
    farewell: int = Farewell.NONE
    overdue: str = ""
    garbled: str = ""  # how the worker broke the protocol, if it did, as a sentence
    cut_off: bool = False  # the supervisor killed it because its pipe had closed
    oom_kills: int = 1  # by the kernel, during the worker's life; -1 when unknown


def examine(evidence: Evidence) -> tuple[Outcome, str]:
    """The outcome and its cause in a few words."""
    status, died_of_sigkill = evidence.status, evidence.status == -signal.SIGKILL
    if evidence.overdue:
        return Outcome.TIMED_OUT, evidence.overdue
    if evidence.garbled:
        return Outcome.CRASHED, evidence.garbled
    if evidence.farewell == Farewell.OUT_OF_MEMORY:
        return Outcome.OUT_OF_MEMORY, "memory ran out"
    if evidence.farewell == Farewell.BROKEN:
        return Outcome.CRASHED, "the target damaged the interpreter"
    if evidence.farewell == Farewell.LOST_CONTACT or (evidence.cut_off and died_of_sigkill):
        return Outcome.CRASHED, "the target closed untrod's descriptors"
    if died_of_sigkill and evidence.oom_kills:
        return Outcome.OUT_OF_MEMORY, "SIGKILL, most likely by the kernel's out-of-memory killer"
    if status < 0:
        return Outcome.CRASHED, _signal_name(-status)
    return Outcome.EXITED, f"exit status {status}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
