"""`Pool`, with its workers on the nodes of a Ray cluster: the same calls, the same messages.

Two things differ. A worker may be lost with its node: that is a `Lost` without an episode, since nobody can
tell which one ran, and `restart` puts the next worker on another node. CPU seconds are as of the last answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from untrod.core.shapes import Malformed
from untrod.core.vocabulary import Json, Outcome
from untrod.runtime import channel
from untrod.runtime.limits import Limits, permissions
from untrod.runtime.messages import NO_ANSWER, Lost, Reply, StoppedWhileOpening, WorkersGone
from untrod.runtime.pool import opened
from untrod.runtime.ray import frames
from untrod.runtime.ray.host import version
from untrod.runtime.ray.link import Link

_MOVES = 5  # so many nodes may be lost before every worker has opened its target


class RayPool:
    """Joins Ray at once. Raises UntrodError when there is none to join."""

    def __init__(
        self,
        on: str,
        job: str,
        specs: Sequence[Json],
        *,
        limits: Limits,
        allow: frozenset[str],
        project: Path | Sequence[Path],
    ) -> None:
        self._order = {
            "job": job,
            "limits": limits.to_json(),
            "allow": sorted(permissions(allow)),
            "project": [str(path) for path in ([project] if isinstance(project, Path) else project)],
            "version": version(),
        }
        self._shards = [_Shard(number, spec) for number, spec in enumerate(specs)]
        self.notices: list[str] = []
        self._link = Link(on)

    # ---- life ----

    def start(self, stop: Callable[[], bool] = lambda: False) -> list[Reply]:
        """Open the job in all workers. Raises UntrodError, with none left, if one cannot, and
        StoppedWhileOpening soon after `stop` says so."""
        cpus = self._link.cluster["cpus"]
        if cpus < len(self._shards):
            self.notices.append(f"Ray has {cpus:g} CPUs for {len(self._shards)} workers: they share them")
        replies: list[Reply] = []
        moves = 0
        try:
            for shard in self._shards:
                self._launch(shard)
            while len(replies) < len(self._shards):
                if stop():
                    raise StoppedWhileOpening
                for message in self.wait(0.1):
                    if isinstance(message, Lost) and (moves := moves + 1) <= _MOVES:
                        self._launch(self._shards[message.shard])
                    else:
                        replies.append(opened(message))
        except BaseException:
            self.close(grace=0.0)
            raise
        self.notices += replies[0].body["notices"] if replies else []
        return sorted(replies, key=lambda reply: reply.shard)

    def restart(self, shard: int) -> None:
        """A new worker in place of a lost one, on another node if the node was lost with it."""
        state = self._shards[shard]
        state.restarts += 1
        self._launch(state)

    def close(self, grace: float = 1.0) -> None:
        self._link.close(grace)

    def __enter__(self) -> RayPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(grace=0.0 if kind is not None else 1.0)

    # ---- work ----

    def send(self, shard: int, op: str, body: Json = None, blob: bytes = b"") -> None:
        """Start an operation. One at a time per shard: RuntimeError while one is under way."""
        state = self._shards[shard]
        if state.lost:
            raise RuntimeError(f"shard {shard} has no worker: restart it first")
        self._call(state, op, body, blob)

    def wait(self, timeout: float) -> list[Reply | Lost]:
        """What has arrived: at least one message, or none after `timeout` seconds."""
        deadline = time.monotonic() + timeout
        while True:
            left = max(0.0, deadline - time.monotonic())
            messages = [self._message(header, blob) for header, blob in self._link.receive(left)]
            if messages or left <= 0:
                return messages

    def condemn(self, shard: int, complaint: str) -> Lost:
        """End a worker whose answer is malformed. Its host kills it when it is asked to open another one."""
        state = self._shards[shard]
        state.lost = True
        return Lost(shard, Outcome.CRASHED, f"{NO_ANSWER}: {complaint}", None, None, "")

    def interrupt(self, shard: int) -> None:
        state = self._shards[shard]
        if state.busy:
            self._link.send("interrupt", {"shard": shard, "number": state.number})

    def busy(self, shard: int) -> str:
        return self._shards[shard].busy

    def restarts(self, shard: int) -> int:
        return self._shards[shard].restarts

    def cpu(self, shard: int) -> float:
        """CPU seconds of all the workers this shard has had, as of their last answers."""
        state = self._shards[shard]
        return state.spent + state.cpu

    # ---- helpers ----

    def _launch(self, shard: _Shard) -> None:
        shard.lost = False
        self._call(shard, "open", {**self._order, "spec": shard.spec})

    def _call(self, shard: _Shard, op: str, body: Json, blob: bytes = b"") -> None:
        if shard.busy:
            raise RuntimeError(f"the worker is busy with {shard.busy!r}")
        shard.busy = op
        shard.number += 1
        frame = channel.encode({"op": op, "body": body}, blob)
        self._link.send("call", {"shard": shard.place, "number": shard.number}, frame)

    def _message(self, header: dict[str, Json], blob: bytes) -> Reply | Lost:
        """`header` is the bridge's, which runs no code of a target; `blob` is a node's."""
        if header.get("shard", len(self._shards)) >= len(self._shards):
            raise WorkersGone("the bridge to Ray speaks of workers that there are not", "try again")
        shard = self._shards[header["shard"]]
        op, shard.busy = shard.busy, ""
        if header["event"] == "gone":
            shard.lost = True
            shard.spent, shard.cpu = shard.spent + shard.cpu, 0.0
            return Lost(shard.place, Outcome.CRASHED, header["cause"], None, None, header["log"], op)
        try:
            message, shard.cpu = frames.unpack(shard.place, op, blob)
        except (channel.ChannelError, Malformed) as error:
            return self.condemn(shard.place, f"{error} (from a Ray node)")
        shard.lost = isinstance(message, Lost)
        return message


@dataclass
class _Shard:
    place: int
    spec: Json
    busy: str = ""
    lost: bool = False
    restarts: int = 0
    number: int = 0  # of its last operation
    cpu: float = 0.0
    spent: float = 0.0  # by workers that were lost with their nodes
