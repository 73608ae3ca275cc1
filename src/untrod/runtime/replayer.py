"""Runs single traces in a guarded worker: for replay, for minimising, for telling flaky from certain."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from untrod.core.vocabulary import Finding, Json, Outcome, Trace
from untrod.runtime.campaign import Engine, death_as_finding
from untrod.runtime.limits import Limits
from untrod.runtime.pool import Lost, Pool


@dataclass(frozen=True, slots=True)
class Replayed:
    """How one trace ended. `key` is that of the finding it shows, empty when it shows none."""

    outcome: Outcome
    key: str
    answers: tuple[int, ...]
    report: Json  # what the job said; empty when the worker died
    log: str = ""


class Replayer:
    """One worker, replaced whenever a trace kills it.

    `expired` says that it is time to come to an end, and `hurry` that nobody waits for niceties any more:
    whoever replays much asks now and then. `before` is called before each replay.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        project: Path,
        scratch: Path,
        limits: Limits,
        allow: frozenset[str],
        expired: Callable[[], bool] = lambda: False,
        hurry: Callable[[], bool] = lambda: False,
        before: Callable[[], None] = lambda: None,
    ) -> None:
        self.expired = expired
        self.hurry = hurry
        self._before = before
        self._pool = Pool(
            engine.job, [engine.spec(0)], limits=limits, allow=allow, project=project, scratch=scratch
        )

    def __enter__(self) -> Replayer:
        self._pool.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.close(grace=0.2)

    def replay(self, trace: Trace) -> Replayed:
        self._before()
        self._pool.send(0, "replay", {"answers": list(trace.answers)})
        while True:
            for message in self._pool.wait(1.0):
                if isinstance(message, Lost):
                    return self._died(message)
                if message.op != "replay":
                    continue
                if message.error is not None:
                    raise message.error.exception()
                body = message.body
                key = body["finding"]["key"] if body["finding"] else ""
                return Replayed(Outcome(body["outcome"]), key, tuple(body["answers"]), body)

    def _died(self, lost: Lost) -> Replayed:
        self._pool.restart(0)
        while not any(message.shard == 0 for message in self._pool.wait(1.0)):
            pass
        finding = death_as_finding(lost)
        return Replayed(lost.outcome, finding.key, lost.answers or (), {}, lost.log)


def how_often(replayer: Replayer, finding: Finding, times: int, stop: Callable[[], bool]) -> tuple[int, int]:
    """(held, of): how many of at most `times` replays show the finding again."""
    held = of = 0
    while of < times and not stop():
        held += replayer.replay(finding.trace).key == finding.key
        of += 1
    return held, of


def stopwatch(seconds: float) -> Callable[[], bool]:
    """A function that says whether `seconds` have passed since it was made."""
    deadline = time.monotonic() + seconds
    return lambda: time.monotonic() >= deadline
