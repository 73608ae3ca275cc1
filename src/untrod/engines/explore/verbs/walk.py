"""Lets a worker walk through an app, and hands over what it has seen, also after a Ctrl-C."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.core.shapes import Malformed
from untrod.core.vocabulary import Json
from untrod.drivers.catalogue import needs
from untrod.engines.explore.live.job import JOB, REPORT, Seen, seen_in
from untrod.engines.gui.engine import GuiConfig
from untrod.runtime.limits import Limits
from untrod.runtime.messages import Lost, Reply
from untrod.runtime.pool import Pool
from untrod.session.interrupts import stop_on_interrupt

EVERYTHING = 1 << 26
"""Megabytes. A browser reserves address space by the terabyte, and uses little of it."""
BATCH_SECONDS, KEEP_SECONDS = 0.5, 2.0
"""A batch, and how often what was seen is handed over."""
LONGEST = 300.0
"""Seconds of a batch: the first step may have to log in."""
GRACE = 0.6
"""Seconds after a Ctrl-C in which what was seen is still waited for."""
_POLL = 0.05


@dataclass(slots=True)
class Walked:
    seen: Seen
    interrupted: bool = False
    notices: list[str] = field(default_factory=list)


def walk(config: GuiConfig, asked: dict[str, Json], allowed: frozenset[str], scratch: Path) -> Walked:
    """Raises UntrodError when nothing could be seen at all."""
    project, web = Path.cwd(), config.driver == "web"
    spec = {**config.to_json(), **asked, "project": str(project), "stage": web}
    pool = Pool(
        JOB,
        [spec],
        limits=Limits(
            memory_mb=EVERYTHING if web else Limits().memory_mb,
            episode_wall=LONGEST,
            episode_cpu=LONGEST,
            idle_wall=LONGEST,
        ),
        allow=allowed | needs(config.driver, (config.target, *config.origins)),
        project=project,
        scratch=scratch,
    )
    with stop_on_interrupt() as interrupted, pool:
        pool.start(interrupted)
        return _Walk(pool, interrupted).run()


class _Walk:
    def __init__(self, pool: Pool, interrupted: Callable[[], bool]) -> None:
        self._pool = pool
        self._interrupted = interrupted
        self._blob = b""
        self._notices = dict.fromkeys(pool.notices)
        self._deadline: float | None = None

    def run(self) -> Walked:
        over = False
        while not over and not self._interrupted():
            over = self._batches()
            self._take_over()
        self._pool.close(0.0)
        if not self._blob:
            why = "; ".join(self._notices) or ("interrupted" if self._interrupted() else "it does not answer")
            raise UntrodError(f"nothing of the application was seen: {why}", "start it again")
        try:
            seen = seen_in(self._blob)
        except Malformed as error:
            raise UntrodError(f"the worker has told nonsense: {error}", "start it again") from error
        return Walked(seen, self._interrupted(), [*self._notices, *seen.trouble])

    def _batches(self) -> bool:
        """Walk for a while. Whether the walk is over."""
        begun = time.monotonic()
        while time.monotonic() - begun < KEEP_SECONDS and not self._interrupted():
            body = self._ask("run", {"episodes": 1, "seconds": BATCH_SECONDS})
            if body is None or body.body["exhausted"]:
                return True
        return False

    def _take_over(self) -> None:
        """What was seen so far."""
        if not self._pool.busy(0) and (reply := self._ask("snapshot")) is not None:
            self._blob = reply.blob

    def _ask(self, op: str, body: Json = None) -> Reply | None:
        """None: the worker is gone, or nobody waits any more. Raises UntrodError when the job does."""
        try:
            self._pool.send(0, op, body)
        except RuntimeError:
            return None  # it is gone already
        while True:
            for message in self._pool.wait(_POLL):
                return self._heard(message)
            if self._interrupted():
                self._pool.interrupt(0)
                self._deadline = self._deadline or time.monotonic() + GRACE
                if time.monotonic() >= self._deadline:
                    return None

    def _heard(self, message: Reply | Lost) -> Reply | None:
        if isinstance(message, Lost):
            self._notices[f"the walk ends here: {message.cause}"] = None
            return None
        for refusal in message.refusals:
            self._notices[refusal.message] = None
        if message.error is not None:
            raise message.error.exception()
        try:
            if message.op == "run":
                REPORT(message.body, "report")
        except Malformed as error:
            return self._heard(self._pool.condemn(0, str(error)))
        return message
