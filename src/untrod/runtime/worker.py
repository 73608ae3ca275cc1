"""The process in which a job, and so the target, runs: `python -m untrod.runtime.worker`.

It locks itself in, builds the job from the first frame it reads, and then answers one operation at a time:

    open      {job, spec, limits, allow, project, scratch, stage} -> {notices}
    run       {episodes, seconds}                            -> the job's report
    replay    {answers}                                      -> how it ended
    skip      {episodes: [[number, input made?], ...]}       -> null
    snapshot                                                 -> null, and a blob
    restore   a blob                                         -> the job's report as of then
    close                                                    (no reply: the process ends)

Every reply carries the `ticket` of its request, which nobody else knows, and `refusals`, what the guard
refused since the last one; the reply to `replay` also carries `touched`, its `side_effects`. A failed
operation answers with `error`. The worker trusts nothing after the target has run: it repairs what it needs
before each reply, and if it cannot reply any more it leaves its last word in the beacon. What it calls after
the target has run is bound by name beforehand, in case the target replaces it in its module.
"""

from __future__ import annotations

import builtins
import faulthandler
import importlib
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from os import _exit, getpid
from typing import TYPE_CHECKING, Any, NoReturn

from untrod.core.errors import UntrodError
from untrod.core.protocols import Batch, Beacon, Job
from untrod.core.vocabulary import Json, Trace
from untrod.runtime import beacon, channel, confine, guard, randomness
from untrod.runtime.beacon import Farewell
from untrod.runtime.deadline import SIGNAL, Reason
from untrod.runtime.limits import CHILDREN, PERMISSIONS, Limits
from untrod.runtime.processes import STAGE
from untrod.runtime.side_effects import SideEffects

if TYPE_CHECKING:
    from untrod.runtime.messages import OpenBody

LOG_CAP = 2**20
_INSIST_AFTER = 0.2


def main(commands: int, replies: int, beacon_memory: int, parent: int) -> NoReturn:
    """The first three are descriptors this process inherited; standard error is the log."""
    worker = Worker(commands, replies, beacon_memory, parent)
    while True:
        worker.serve_next()


class Worker:
    def __init__(self, commands: int, replies: int, beacon_memory: int, parent: int) -> None:
        self._notices = confine.die_with_parent(parent)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self._pid = os.getpid()
        self._beacon = beacon.attach(beacon_memory)
        self._commands, self._replies = confine.move_high(commands), confine.move_high(replies)
        self._log = confine.move_high(os.dup(2))
        own = frozenset({self._commands, self._replies, self._log})
        confine.after_fork_in_child(self._beacon.abandon, own)
        confine.hide_descriptors(own)
        self._limits = Limits()
        self._ticket = ""
        self._job: Job | None = None
        self._side_effects: SideEffects | None = None
        self._repair = _repairer(self._beacon, self._log)
        self._repair()

    def serve_next(self) -> None:
        request = self._receive()
        if request is None or request[0]["op"] == "close":
            _exit(0)  # at once: the target's threads and exit handlers have no say in it
        header, blob = request
        self._ticket = header["ticket"]
        with guard.paused():
            confine.allow_cpu(self._limits)
        self._send(self._answer(header["op"], header["body"], blob))

    def _answer(self, op: str, body: Json, blob: bytes) -> bytes:
        effects = self._side_effects if op == "replay" else None
        try:
            if effects is not None:
                effects.begin()
            result, data = self._perform(op, body, blob)
            self._beacon.end()
            self._recover()
            touched = {} if effects is None else {"touched": effects.collect()}
            return self._frame({"op": op, "body": result, **touched}, data)
        except:  # noqa: E722 - to name an exception would be to trust builtins
            self._recover()
            error = sys.exc_info()[1]
        if isinstance(error, MemoryError):
            self._give_up(Farewell.OUT_OF_MEMORY)
        if self._beacon.running and not isinstance(error, UntrodError):
            # Our own code stumbled over what the target left behind, and the beacon still names the episode.
            os.write(self._log, _describe(error)["traceback"].encode("utf-8", "replace"))
            self._give_up(Farewell.BROKEN)
        self._beacon.end()
        return self._frame({"op": op, "error": _describe(error)})

    def _perform(self, op: str, body: Json, blob: bytes) -> tuple[Json, bytes]:
        if op == "open":
            return self._open(body), b""
        job = self._job
        if job is None:
            raise UntrodError("this worker has no job", "send `open` first")
        if op == "run":
            return job.run(Batch(body["episodes"], body["seconds"])), b""
        if op == "replay":
            return job.replay(Trace(tuple(body["answers"]))), b""
        if op == "skip":
            job.skip([(number, made) for number, made in body["episodes"]])
            return None, b""
        if op == "snapshot":
            return None, job.snapshot()
        if op == "restore":
            return job.restore(blob), b""
        raise UntrodError(f"workers know no operation {op!r}")

    def _open(self, body: OpenBody) -> Json:
        self._limits = Limits(**body["limits"])
        notices = self._notices + confine.limit(self._limits)
        sys.dont_write_bytecode = True
        sys.path[:0] = body["project"]
        sys.argv = ["prog"]  # what the target sees: not our descriptors
        os.chdir(body["scratch"])
        randomness.install()
        allow, writable = frozenset(body["allow"]), tuple(filter(None, [body["stage"]]))
        os.environ[STAGE] = body["stage"]
        notices += confine.enclose(body["scratch"], allow, writable)
        guard.install(body["scratch"], allow, writable)
        module, _, name = body["job"].partition(":")
        factory = getattr(importlib.import_module(module), name)
        self._job = factory(body["spec"], self._beacon)
        if not allow >= PERMISSIONS.keys() and CHILDREN not in allow:  # else a browser lives in the folder
            self._side_effects = SideEffects(body["scratch"])
        return {"notices": notices}

    def _frame(self, header: dict[str, Json], blob: bytes = b"") -> bytes:
        header["ticket"] = self._ticket
        header["refusals"] = [refusal.to_json() for refusal in guard.drain()]
        return channel.encode(header, blob)

    def _recover(self) -> None:
        if getpid() != self._pid:
            _exit(0)  # a child that the target forked and let return
        self._repair()

    def _receive(self) -> tuple[dict[str, Json], bytes] | None:
        try:
            return channel.read(self._commands)
        except (OSError, channel.ChannelError):
            self._give_up(Farewell.LOST_CONTACT)

    def _send(self, frame: bytes) -> None:
        try:
            channel.write(self._replies, frame)
        except OSError:
            self._give_up(Farewell.LOST_CONTACT)

    def _give_up(self, farewell: Farewell) -> NoReturn:
        self._beacon.farewell(farewell)
        _exit(1)


class IdleJob:
    """A job that does nothing: for trying out whether workers work on this machine."""

    def __init__(self, spec: Json, beacon: Beacon) -> None:
        pass

    def run(self, batch: Batch) -> Json:
        return {"episodes": 0, "valid": 0, "unique": 0, "keys": []}

    def replay(self, trace: Trace) -> Json:
        return {"outcome": "valid", "answers": list(trace.answers), "finding": None}

    def skip(self, episodes: list[tuple[int, bool]]) -> None:
        pass

    def snapshot(self) -> bytes:
        return b"idle"

    def restore(self, blob: bytes) -> Json:
        return self.run(Batch(0, 0.0))


def _describe(error: BaseException | None) -> dict[str, Json]:
    if isinstance(error, UntrodError):
        return {"message": error.message, "hint": error.hint}
    lines = traceback.format_exception(error, limit=-50)
    message = f"{type(error).__name__}: {_text(error)}".splitlines()[0][:500]
    return {"message": message, "hint": "", "traceback": "".join(lines)[-20_000:]}


def _text(error: BaseException | None) -> str:
    try:
        return str(error)
    except BaseException:
        return "(an exception that cannot be printed)"


def _repairer(shared: beacon.WorkerBeacon, log: int) -> Callable[[], None]:
    """A function that puts back what the target may have bent and the worker depends on.

    It is a closure over everything it calls: it has to work while `builtins` is still mangled.
    """
    live, sound = builtins.__dict__, dict(builtins.__dict__)
    update, depth, set_depth = live.update, sys.getrecursionlimit(), sys.setrecursionlimit
    set_signal, set_timer = signal.signal, signal.setitimer
    interrupt_key, ignore = signal.SIGINT, signal.SIG_IGN
    timers = (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)
    fstat, truncate = os.fstat, os.ftruncate
    cancel_dump, dump_to = faulthandler.cancel_dump_traceback_later, faulthandler.enable
    restore_random, go_home = randomness.restore, guard.go_home
    on_signal = _stopper(shared)

    def repair() -> None:
        update(sound)
        set_depth(depth)
        set_signal(interrupt_key, ignore)
        set_signal(SIGNAL, on_signal)
        for timer in timers:
            set_timer(timer, 0)
        cancel_dump()
        dump_to(log)
        restore_random()
        go_home()
        if fstat(log).st_size > LOG_CAP:
            truncate(log, 0)

    return repair


def _stopper(shared: beacon.WorkerBeacon) -> Callable[[int, Any], None]:
    """The handler of the supervisor's signal: stops the very episode that the supervisor means.

    Not twice in quick succession: the second exception would hit the job while it handles the first.
    """
    requested, reason_of, now = shared.requested, Reason, time.monotonic
    stopped, stopped_at = 0, 0.0

    def on_signal(number: int, frame: Any) -> None:
        nonlocal stopped, stopped_at
        serial, reason = requested()
        if reason and (serial != stopped or now() - stopped_at > _INSIST_AFTER):
            stopped, stopped_at = serial, now()
            raise reason_of(reason).exception()

    return on_signal


if __name__ == "__main__":
    # The module proper, not this copy called __main__: there must be one of each class.
    from untrod.runtime import worker

    worker.main(*map(int, sys.argv[1:5]))
