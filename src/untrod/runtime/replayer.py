"""Runs single traces in a guarded worker: for replay, for minimising, for telling flaky from certain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from untrod.core.errors import UntrodError
from untrod.core.shapes import Malformed
from untrod.core.vocabulary import Answer, Finding, Json, Outcome, Trace
from untrod.runtime.campaign import Engine
from untrod.runtime.limits import Limits
from untrod.runtime.messages import StoppedWhileOpening, Touched, WorkerDied, death_as_finding
from untrod.runtime.pool import Lost, Pool, Reply, opened

_POLL = 0.05
_OPENINGS = 3
"""How often in a row a worker may die while it opens the target before that is given up."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """How one trace ended. `key` is that of the finding it shows, empty when it shows none.

    `answered` is False when nobody knows: it was not waited for, or there is no worker to run it.
    """

    outcome: Outcome
    key: str
    answers: tuple[Answer, ...]
    report: Json  # what the job said; empty when the worker died
    log: str = ""
    answered: bool = True
    refused: tuple[str, ...] = ()  # what the guard refused, in words, also if the target swallowed it
    touched: Touched = field(default_factory=Touched)


UNANSWERED = Replayed(Outcome.INVALID, "", (), {}, answered=False)


class Replayer:
    """One worker, made for the first replay and replaced whenever a trace kills it.

    `expired` says that it is time to come to an end, and `hurry` that nobody waits for niceties any more:
    whoever replays much asks now and then. `before` is called before each replay. Once `stop` says so nothing
    is waited for, and every replay is unanswered.

    `complain` hears why nothing can be replayed any more, or why one trace could not be: that is unanswered
    then. Without it, it is raised.
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
        stop: Callable[[], bool] = lambda: False,
        before: Callable[[], None] = lambda: None,
        complain: Callable[[str], None] | None = None,
    ) -> None:
        self.expired = expired
        self.hurry = hurry
        self._stop = stop
        self._before = before
        self._complain = complain
        self._engine = engine
        self.seen: dict[Trace, tuple[tuple[str, ...], Touched]] = {}
        """What each trace was refused, and what it touched, when it was last replayed."""
        self._started = self._ready = self._gone = False
        self._pool = Pool(
            engine.job, [engine.spec(0)], limits=limits, allow=allow, project=project, scratch=scratch
        )

    def __enter__(self) -> Replayer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.close(grace=0.0 if kind is not None or not self._ready or self._stop() else 0.2)

    def replay(self, trace: Trace) -> Replayed:
        if self._gone or self._stop():
            return UNANSWERED
        self._before()
        try:
            if not self._ready:
                self._open()
            self._pool.send(0, "replay", {"answers": list(trace.answers)})
            outcome = self._outcome()
            self.seen[trace] = outcome.refused, outcome.touched
            return outcome
        except StoppedWhileOpening:
            return UNANSWERED
        except UntrodError as error:
            if self._complain is None:
                raise
            self._gone = not self._ready
            self._complain(f"a finding or an input could not be replayed: {error.message}")
            return UNANSWERED

    def _outcome(self) -> Replayed:
        message = self._next()
        if message is None:  # the worker may run for long, and nobody waits
            self._ready = False
            return UNANSWERED
        if isinstance(message, Reply):
            if message.error is not None:
                raise message.error.exception()
            try:
                self._engine.check_replay(message.body)
            except Malformed as error:
                message = self._pool.condemn(0, str(error))
            else:
                body = message.body
                key = body["finding"]["key"] if body["finding"] else ""
                refused = tuple(refusal.message for refusal in message.refusals)
                return Replayed(
                    Outcome(body["outcome"]),
                    key,
                    tuple(body["answers"]),
                    body,
                    refused=refused,
                    touched=message.touched or Touched(),
                )
        self._ready = False
        finding = death_as_finding(message)
        return Replayed(message.outcome, finding.key, message.answers or (), {}, message.log)

    def _open(self) -> None:
        """Raises UntrodError when the target cannot be opened, StoppedWhileOpening once `stop` says so."""
        for attempt in range(1, _OPENINGS + 1):
            try:
                if not self._started:
                    self._pool.start(self._stop)
                    self._started = True
                else:
                    self._pool.restart(0)
                    message = self._next()
                    if message is None:
                        raise StoppedWhileOpening
                    opened(message)
                self._ready = True
                return
            except WorkerDied:
                if attempt == _OPENINGS:
                    raise

    def _next(self) -> Reply | Lost | None:
        """The reply to the operation under way, or its loss; None once `stop` says so."""
        while not self._stop():
            for message in self._pool.wait(_POLL):
                return message
        return None


def how_often(replayer: Replayer, finding: Finding, times: int, stop: Callable[[], bool]) -> tuple[int, int]:
    """(held, of): how many of at most `times` replays show the finding again."""
    held = of = 0
    while of < times and not stop():
        result = replayer.replay(finding.trace)
        if not result.answered:
            break
        held += result.key == finding.key
        of += 1
    return held, of
