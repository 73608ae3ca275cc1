"""A local pool of guarded workers, one per shard of a campaign.

    with Pool("package.module:factory", specs, limits=..., allow=..., project=..., scratch=...) as pool:
        pool.start()
        pool.send(0, "run", {"episodes": 1000, "seconds": 1.0})
        for message in pool.wait(0.5):
            match message:
                case Reply(shard=shard, body=body): ...
                case Lost(shard=shard, cause=cause): pool.restart(shard)

Single-threaded: everything happens inside the calls, deadlines included, so call `wait` often. The workers
die with the thread that called `start` or `restart`; call them from one that lives as long as the pool.
"""

from __future__ import annotations

import os
import secrets
import select
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType

from untrod.core.errors import UntrodError
from untrod.core.shapes import Malformed
from untrod.core.vocabulary import Json
from untrod.runtime.limits import Limits, permissions
from untrod.runtime.messages import (
    NO_ANSWER,
    Failure,
    Lost,
    OpenBody,
    Reply,
    StoppedWhileOpening,
    WorkerDied,
    WorkerFailed,
    reply_of,
)
from untrod.runtime.processes import HAS_CPU_CLOCKS
from untrod.runtime.removal import remove_tree
from untrod.runtime.scratch import Scratch, leave_stage, stage
from untrod.runtime.supervisor import Supervisor

__all__ = ["Failure", "Lost", "Pool", "Reply", "WorkerFailed"]

_POLL = 0.03


class Pool:
    """`job` is 'module:attr' of a factory `(spec, beacon) -> Job`; there is one worker for each spec."""

    def __init__(
        self,
        job: str,
        specs: Sequence[Json],
        *,
        limits: Limits,
        allow: frozenset[str],
        project: Path | Sequence[Path],
        scratch: Path,
    ) -> None:
        self._job = job
        self._limits = limits
        self._allow = permissions(allow)
        self._project = [str(path) for path in ([project] if isinstance(project, Path) else project)]
        self._scratch_root = scratch
        self._scratch: Scratch | None = None
        self._shards = [_Shard(number, spec) for number, spec in enumerate(specs)]
        self._ticked = 0.0
        self._owed: list[Lost] = []  # of workers that have answered before they died
        self.marker = "pool-" + secrets.token_hex(8)
        self.notices: list[str] = []  # what this system cannot do, one line each, known after `start`

    # ---- life ----

    def start(self, stop: Callable[[], bool] = lambda: False) -> list[Reply]:
        """Open the job in all workers, in parallel. Raises UntrodError, with none left, if one cannot, and
        StoppedWhileOpening soon after `stop` says so."""
        if os.name != "posix":
            raise UntrodError("untrod's workers need Linux or macOS", "run it in WSL or a container")
        self._scratch = Scratch(self._scratch_root)
        if not HAS_CPU_CLOCKS:
            self.notices.append("CPU deadlines are not enforced on this system; wall deadlines are")
        try:
            for shard in self._shards:
                self._launch(shard)
            replies: list[Reply] = []
            while len(replies) < len(self._shards):
                if stop():
                    raise StoppedWhileOpening
                replies += map(opened, self.wait(_POLL))
        except BaseException:
            self.close(grace=0.0)
            raise
        for notice in replies[0].body["notices"] if replies else ():
            self.notices.append(notice)
        return sorted(replies, key=lambda reply: reply.shard)

    def restart(self, shard: int) -> None:
        """A new worker in place of a lost (or unwanted) one; its reply to `open` comes through `wait`."""
        self._owed = [lost for lost in self._owed if lost.shard != shard]
        state = self._shards[shard]
        state.discard()
        state.restarts += 1
        self._launch(state)

    def close(self, grace: float = 1.0) -> None:
        """Ask all workers to end, kill what has not after `grace` seconds, remove every trace of them."""
        for shard in self._shards:
            if grace > 0 and shard.worker is not None and shard.living:
                shard.worker.dismiss()
        deadline = time.monotonic() + grace
        while time.monotonic() < deadline and any(shard.living for shard in self._shards):
            self._turn(_POLL)
        for shard in self._shards:
            shard.discard()
        if self._scratch is not None:
            self._scratch.close()
            self._scratch = None

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(grace=0.0 if kind is not None else 1.0)

    # ---- work ----

    def send(self, shard: int, op: str, body: Json = None, blob: bytes = b"") -> None:
        """Start an operation (see `worker`). One at a time per shard: RuntimeError while one is under way.

        Where the worker has died meanwhile, its `Lost` is still to come, and is the answer.
        """
        if any(lost.shard == shard for lost in self._owed):
            return
        worker = self._shards[shard].worker
        if worker is None or worker.death is not None:
            raise RuntimeError(f"shard {shard} has no worker: restart it first")
        worker.send(op, body, blob)

    def condemn(self, shard: int, complaint: str) -> Lost:
        """End a worker whose answer, which was the last thing heard, is none: `complaint` says why."""
        state = self._shards[shard]
        assert state.worker is not None
        self._owed = [lost for lost in self._owed if lost.shard != shard]
        state.worker.condemn(f"{NO_ANSWER}: {complaint}")
        return state.lost()

    def wait(self, timeout: float) -> list[Reply | Lost]:
        """What has arrived: at least one message, or none after `timeout` seconds."""
        deadline = time.monotonic() + timeout
        while True:
            left = deadline - time.monotonic()
            messages = self._turn(max(0.0, min(_POLL, left)))
            if messages or left <= 0:
                return messages

    def interrupt(self, shard: int) -> None:
        """Stop the running episode softly: the job sees `Interrupted` and returns its report early."""
        worker = self._shards[shard].worker
        if worker is not None and worker.death is None:
            worker.interrupt()

    def busy(self, shard: int) -> str:
        """The operation under way, "" when idle or lost."""
        worker = self._shards[shard].worker
        return worker.busy if worker is not None and worker.death is None else ""

    def restarts(self, shard: int) -> int:
        return self._shards[shard].restarts

    def cpu(self, shard: int) -> float:
        """CPU seconds of all the workers this shard has had."""
        state = self._shards[shard]
        return state.spent + (state.worker.cpu() if state.worker else 0.0)

    # ---- helpers ----

    def _launch(self, shard: _Shard) -> None:
        assert self._scratch is not None
        name = f"{shard.number}-{shard.restarts}"
        shard.folder = self._scratch.folder(name)
        if shard.needs_stage:
            shard.stage = stage()
        shard.worker = Supervisor(self._limits, f"{self.marker}-{name}", shard.folder)
        body: OpenBody = {
            "job": self._job,
            "spec": shard.spec,
            "limits": self._limits.to_json(),
            "allow": sorted(self._allow),
            "project": self._project,
            "scratch": str(shard.folder),
            "stage": str(shard.stage or ""),
        }
        shard.worker.send("open", body)

    def _turn(self, timeout: float) -> list[Reply | Lost]:
        """One round: write what can be written, read what has come, and look after the deadlines."""
        owed, self._owed = self._owed, []
        if owed:
            return list(owed)
        living = [shard for shard in self._shards if shard.living]
        messages: list[Reply | Lost] = []
        for shard in _ready(living, timeout):
            messages += shard.exchange()
        now = time.monotonic()
        if now - self._ticked >= _POLL:
            self._ticked = now
            for shard in living:
                shard.tick()
        answered = {message.shard for message in messages}
        for shard in living:
            if not shard.living:
                (self._owed if shard.number in answered else messages).append(shard.lost())
        return messages


class _Shard:
    """A shard's number and spec, its present worker, and what earlier ones have used."""

    def __init__(self, number: int, spec: Json) -> None:
        self.number = number
        self.spec = spec
        self.restarts = 0
        self.spent = 0.0
        self.worker: Supervisor | None = None
        self.folder: Path | None = None
        self.stage: Path | None = None
        self.needs_stage = isinstance(spec, dict) and bool(spec.get("stage"))

    @property
    def living(self) -> bool:
        return self.worker is not None and self.worker.death is None

    def exchange(self) -> list[Reply]:
        assert self.worker is not None
        self.worker.flush()
        op = self.worker.busy
        frame = self.worker.receive()
        if frame is None:
            return []
        try:
            return [reply_of(self.number, op, *frame)]
        except Malformed as error:
            self.worker.condemn(f"{NO_ANSWER}: {error}")
            return []

    def tick(self) -> None:
        if self.worker is not None and self.worker.death is None:
            self.worker.tick()

    def lost(self) -> Lost:
        assert self.worker is not None
        death = self.worker.death
        assert death is not None
        return Lost(
            shard=self.number,
            outcome=death.outcome,
            cause=death.cause,
            episode=death.episode,
            answers=death.answers,
            log=death.log,
            op=self.worker.busy,
            truncated=death.truncated,
        )

    def discard(self) -> None:
        """Be rid of the present worker and of the folder it wrote to."""
        if self.worker is not None:
            self.worker.kill()
            self.spent += self.worker.cpu()
            self.worker = None
        if self.folder is not None:
            remove_tree(self.folder)
            self.folder = None
        if self.stage is not None:
            leave_stage(self.stage)
            self.stage = None


def _ready(shards: list[_Shard], timeout: float) -> list[_Shard]:
    """The shards whose worker has something to say, or room for what we have to say."""
    poller, owner = select.poll(), {}
    for shard in shards:
        assert shard.worker is not None
        poller.register(shard.worker.replies, select.POLLIN)
        owner[shard.worker.replies] = shard
        if shard.worker.unsent:
            poller.register(shard.worker.commands, select.POLLOUT)
            owner[shard.worker.commands] = shard
    ready = {owner[descriptor].number: owner[descriptor] for descriptor, _ in poller.poll(timeout * 1000)}
    return list(ready.values())


def opened(message: Reply | Lost) -> Reply:
    """Raises UntrodError unless `message` says that a worker has opened its job."""
    if isinstance(message, Lost):
        raise WorkerDied(
            f"the worker died while it opened the target: {message.cause}",
            "the target must be importable without side effects; --debug shows the worker's log",
            message.log,
        )
    if message.error is not None:
        raise message.error.exception()
    return message
