"""The Ray driver, in a process of its own: `python -m untrod.runtime.ray.bridge`.

It speaks frames with the campaign's process (`link`), on two pipes:

    call       {shard, number}, a frame for the host   -> answer {shard}, a frame; or gone {shard, cause}
    interrupt  {shard, number}
    close      {grace}                                 (no answer: the process ends)

A shard without an actor gets one with its first call, on a node of Ray's choice. Which one decides nothing: a
shard's seed and state come with the calls. It ends by itself when the campaign's process is gone.
"""

from __future__ import annotations

import os
import queue
import shutil
import sys
import threading
from collections.abc import Iterator
from functools import partial
from typing import Any

import ray
from ray.exceptions import RayActorError

from untrod.core.vocabulary import Json
from untrod.runtime import channel
from untrod.runtime.ray.host import ALL, CONTROL, WORK, Host
from untrod.runtime.ray.link import LOCAL

_CHUNK = 2**16
_OBJECTS = 80 * 2**20  # bytes for Ray's object store where we start Ray: messages are small
_CLOSING = 3.0
_ATTEMPTS = 4  # Ray gives itself 30 s to come up, which a crowded machine may not have
_ROOM = 30.0  # seconds until a worker that waits for its CPU goes without


def main(commands: int, answers: int, address: str, folder: str) -> None:
    """`folder` is for Ray's own files, where Ray is started here; it is removed in the end."""
    try:
        try:
            _connect(address, folder)
        except Exception as error:
            _write(answers, {"event": "refused", "message": _first_line(error)})
            return
        bridge = Bridge(answers)
        _write(answers, {"event": "ready", **_cluster()})
        bridge.serve(commands)
    finally:
        ray.shutdown()
        if folder:
            shutil.rmtree(folder, ignore_errors=True)


class Grouped(Host):
    """Which method runs in which thread is said here, once: Ray Client takes it with no call."""

    ready = ray.method(concurrency_group=CONTROL)(Host.ready)
    interrupt = ray.method(concurrency_group=CONTROL)(Host.interrupt)
    perform = ray.method(concurrency_group=WORK)(Host.perform)
    close = ray.method(concurrency_group=WORK)(Host.close)


class Bridge:
    """Everything that happens, a frame read or an actor's answer, goes through one queue and one thread."""

    def __init__(self, answers: int) -> None:
        self._answers = answers
        self._happened: queue.SimpleQueue[tuple[Any, ...]] = queue.SimpleQueue()
        self._actors: dict[int, Any] = {}
        self._coming: list[Any] = []  # futures of actors that were promised a CPU, and may have theirs by now

    def serve(self, commands: int) -> None:
        threading.Thread(target=self._listen, args=(commands,), daemon=True).start()
        while True:
            what, *rest = self._happened.get()
            if what == "close":
                self._close(*rest)
                return
            getattr(self, f"_{what}")(*rest)

    def _listen(self, commands: int) -> None:
        grace = 0.0
        for header, blob in _frames(commands):
            op = header.pop("op")
            if op == "close":
                grace = header["grace"]
                break
            self._happened.put((op, header, blob))
        self._happened.put(("close", grace))

    def _call(self, header: Json, frame: bytes) -> None:
        shard = header["shard"]
        if shard not in self._actors:
            self._actors[shard] = self._launched(header, frame)
        self._ask(shard, header["number"], frame)

    def _launched(self, header: Json, frame: bytes) -> Any:
        """With a CPU of its own where one is free, and else without: waiting for room helps nobody."""
        self._coming = [there for there in self._coming if not there.done()]
        if ray.available_resources().get("CPU", 0.0) - len(self._coming) < 1.0:
            return _make_actor(cpus=0.0)
        actor = _make_actor(cpus=1.0)
        there = actor.ready.remote().future()
        self._coming.append(there)
        late = threading.Timer(_ROOM, self._happened.put, [("late", actor, there, header, frame)])
        late.daemon = True
        late.start()
        return actor

    def _ask(self, shard: int, number: int, frame: bytes) -> None:
        actor = self._actors[shard]
        answered = actor.perform.remote(number, frame).future()
        answered.add_done_callback(lambda future: self._happened.put(("answered", shard, actor, future)))

    def _late(self, actor: Any, there: Any, header: Json, frame: bytes) -> None:
        """Replace an actor that has waited too long for its CPU: the new one needs none of its own."""
        shard = header["shard"]
        if there.done() or self._actors.get(shard) is not actor:
            return
        self._actors[shard] = _make_actor(cpus=0.0)
        _kill(actor)
        self._ask(shard, header["number"], frame)

    def _interrupt(self, header: Json, frame: bytes) -> None:
        actor = self._actors.get(header["shard"])
        if actor is not None:
            actor.interrupt.remote(header["number"])

    def _answered(self, shard: int, actor: Any, future: Any) -> None:
        if self._actors.get(shard) is not actor:
            return  # it was replaced
        error = future.exception()
        if error is None:
            _write(self._answers, {"event": "answer", "shard": shard}, future.result())
            return
        del self._actors[shard]
        _kill(actor)  # one that is only out of reach must not come back beside its successor
        cause = "its Ray node was lost" if isinstance(error, RayActorError) else _first_line(error)
        _write(self._answers, {"event": "gone", "shard": shard, "cause": cause, "log": str(error)[-4000:]})

    def _close(self, grace: float) -> None:
        actors = list(self._actors.values())
        for actor in actors:
            actor.interrupt.remote(ALL)
        closing = [actor.close.remote(grace) for actor in actors]
        if closing:
            ray.wait(closing, num_returns=len(closing), timeout=grace + _CLOSING)
        for actor in actors:
            _kill(actor)


def _connect(address: str, folder: str) -> None:
    # Nobody is told how this is used, and nothing listens beyond this machine where Ray is ours.
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    transient: type[Exception] = ConnectionAbortedError  # a client server that was not up in time
    if address == LOCAL:
        options |= {"include_dashboard": False, "object_store_memory": _OBJECTS}
        options |= {"_node_ip_address": "127.0.0.1", "_temp_dir": folder}
        transient = Exception
    for attempts_left in reversed(range(_ATTEMPTS)):
        try:
            ray.init(address=address, **options)
        except transient:
            if not attempts_left:
                raise
        else:
            return


def _cluster() -> dict[str, Json]:
    nodes = [node for node in ray.nodes() if node["Alive"]]
    cpus = sum(node["Resources"].get("CPU", 0.0) for node in nodes)
    context = ray.get_runtime_context()
    return {"nodes": len(nodes), "cpus": cpus, "address": getattr(context, "gcs_address", "")}


def _make_actor(cpus: float) -> Any:
    remote = ray.remote(concurrency_groups={WORK: 1, CONTROL: 1})(Grouped)
    return remote.options(num_cpus=cpus, scheduling_strategy="SPREAD", max_restarts=0).remote()


def _kill(actor: Any) -> None:
    try:
        ray.kill(actor)
    except Exception:
        pass  # it is gone


def _frames(descriptor: int) -> Iterator[tuple[dict[str, Json], bytes]]:
    decoder = channel.Decoder()
    for data in iter(partial(os.read, descriptor, _CHUNK), b""):
        yield from decoder.feed(data)


def _write(descriptor: int, header: dict[str, Json], blob: bytes = b"") -> None:
    channel.write(descriptor, channel.encode(header, blob))


def _first_line(error: BaseException) -> str:
    """The error in a line: the first, and the last where the first only announces a server's traceback."""
    lines = str(error).strip().splitlines() or ["no reason given"]
    reason = f"{lines[0]} {lines[-1].strip()}" if lines[0].endswith(":") and len(lines) > 1 else lines[0]
    return f"{type(error).__name__}: {reason}"[:500]


if __name__ == "__main__":
    from untrod.runtime.ray import bridge

    bridge.main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4])
