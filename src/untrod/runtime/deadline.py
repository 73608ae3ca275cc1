"""Deadlines that cost an episode nothing: the supervisor watches the beacon and interrupts what overstays.

A job runs the target like this, with `begin` and `end` inside the `try`, because the exception may come at
any point between the two:

    try:
        beacon.begin(number)
        target(...)
        beacon.end()
    except EpisodeTimeout:
        beacon.end()
        ...                 # report the episode as timed out, and go on
    except Interrupted:
        beacon.end()
        ...                 # nobody waits for this episode any more: forget it and return the report

Both are BaseExceptions so that a target's `except Exception` lets them through. A target that swallows
them too, or that never returns to the interpreter, is killed after a grace of one second.
"""

from __future__ import annotations

import signal
from enum import Enum, IntEnum

from untrod.runtime.beacon import Sighting
from untrod.runtime.limits import Limits

GRACE = 1.0

SIGNAL: int = signal.SIGRTMIN + 7 if hasattr(signal, "SIGRTMIN") else signal.SIGUSR2
"""A signal hardly any target uses for itself: a real-time one, or SIGUSR2 where there are none."""


class EpisodeStopped(BaseException):
    """The supervisor stopped the running episode."""


class EpisodeTimeout(EpisodeStopped):
    """The episode ran longer, or burned more CPU, than the limits allow."""


class Interrupted(EpisodeStopped):
    """The campaign is stopping: the episode does not count."""


class Reason(IntEnum):
    """Why an episode is stopped, as stored in the beacon."""

    TIMEOUT = 1
    INTERRUPT = 2

    def exception(self) -> EpisodeStopped:
        if self is Reason.TIMEOUT:
            return EpisodeTimeout("the episode exceeded its time limit")
        return Interrupted("the campaign is stopping")


class Verdict(Enum):
    FINE = "fine"
    STOP = "stop"  # ask the episode to stop
    KILL = "kill"  # it was asked and did not


class Deadlines:
    """The deadlines of one worker, checked at each sighting of its beacon. Reads no clock: the caller does.

    The first sighting of a run starts its deadline, at most one poll after its `begin`. A request to stop
    is repeated once after half the grace, because Python drops exceptions raised inside `__del__` and
    the like.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._seen: Sighting | None = None
        self._since = 0.0
        self._cpu = 0.0
        self._asked = 0
        self._asked_at = 0.0
        self.cause = ""  # which limit was exceeded, in words

    def observe(self, sighting: Sighting, now: float, cpu: float, *, busy: bool) -> Verdict:
        """`busy`: an operation is under way; a worker that waits for one may wait for ever."""
        if not busy or sighting != self._seen:
            self._seen, self._since, self._cpu, self._asked = sighting, now, cpu, 0
            return Verdict.FINE
        if not sighting.running:
            return self._judge_idle(now)
        if not self._exceeded(now, cpu):
            return Verdict.FINE
        return self._insist(now)

    def restart(self) -> None:
        """An operation begins: what came before does not count against it."""
        self._seen = None

    def _judge_idle(self, now: float) -> Verdict:
        if now - self._since <= self._limits.idle_wall:
            return Verdict.FINE
        self.cause = f"no episode ran for {self._limits.idle_wall:g} s"
        return Verdict.KILL

    def _exceeded(self, now: float, cpu: float) -> bool:
        limits = self._limits
        if now - self._since > limits.episode_wall:
            self.cause = f"one episode ran longer than {limits.episode_wall:g} s"
        elif cpu - self._cpu > limits.episode_cpu:
            self.cause = f"one episode used more than {limits.episode_cpu:g} s of CPU"
        else:
            return False
        return True

    def _insist(self, now: float) -> Verdict:
        if self._asked == 0:
            self._asked, self._asked_at = 1, now
            return Verdict.STOP
        waited = now - self._asked_at
        if waited > GRACE:
            return Verdict.KILL
        if self._asked == 1 and waited > GRACE / 2:
            self._asked = 2
            return Verdict.STOP
        return Verdict.FINE
