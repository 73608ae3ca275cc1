"""The parent's handle on one worker process: operations, deadlines, and the cause of its death."""

from __future__ import annotations

import fcntl
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from untrod.core.vocabulary import Json, Outcome
from untrod.runtime import beacon, channel, launch
from untrod.runtime.beacon import Farewell
from untrod.runtime.deadline import SIGNAL, Deadlines, Reason, Verdict
from untrod.runtime.launch import with_own_root
from untrod.runtime.limits import Limits
from untrod.runtime.processes import MARKER, cpu_clock, kernel_oom_kills, kill_group, kill_marked, queued

_CHUNK = 2**16
_READS = 256  # at a time: a flood must not keep us from the deadlines
_LOG_CAP = 2**20
_LOG_TAIL = 16 * 1024
SECRET = "RAY_AUTH_TOKEN"  # on a Ray node: with it, a target could have the whole cluster


@dataclass(frozen=True, slots=True)
class Death:
    """How a worker ended, and the episode that was running then."""

    outcome: Outcome
    cause: str
    episode: int | None
    answers: tuple[int, ...] | None
    truncated: bool
    log: str


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


class Supervisor:
    """One worker process, from spawn to reaping.

    Nothing here blocks: the pool's selector says when `replies` is readable or `commands` writable, and
    calls `tick` often. Once `death` is set, the process, its group and all it started are gone.
    """

    def __init__(self, limits: Limits, marker: str, folder: Path) -> None:
        self._marker = marker
        self._deadlines = Deadlines(limits)
        self._decoder = channel.Decoder()
        self.unsent: deque[memoryview] = deque()  # what the pipe would not take yet
        self._interrupting = False
        self._overdue = self._garbled = ""
        self._cut_off = False
        self._spent = 0.0
        self._oom_kills = kernel_oom_kills()
        self.busy = ""  # the operation under way
        self._ticket = ""  # what the reply to it must show: a target does not know it
        self.death: Death | None = None
        self._log = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - closed by `_release`
        self._spawn(folder)

    # ---- speaking ----

    def send(self, op: str, body: Json = None, blob: bytes = b"") -> None:
        """Queue an operation; the worker answers one at a time, so there may be only one under way."""
        if self.busy:
            raise RuntimeError(f"the worker is busy with {self.busy!r}")
        self.busy = op
        self._ticket = secrets.token_hex(8)
        self._deadlines.restart()
        self._queue(op, body, blob)

    def flush(self) -> bool:
        """Write what the pipe takes. True while something is left to write."""
        try:
            while self.unsent:
                data = self.unsent[0]
                written = os.write(self.commands, data)
                if written < len(data):
                    self.unsent[0] = data[written:]
                else:
                    self.unsent.popleft()
        except BlockingIOError:
            return True
        except BrokenPipeError:
            self.unsent.clear()  # the worker is dying; `receive` will see the end of its pipe
        return False

    def receive(self) -> tuple[dict[str, Json], bytes] | None:
        """The reply, once it is there. A pipe that has ended, or says other things, is the worker's death."""
        frames, ended = [], False
        try:
            for _ in range(_READS):
                data = os.read(self.replies, _CHUNK)
                if not data:
                    ended = True
                    break
                frames += self._decoder.feed(data)
        except BlockingIOError:
            pass
        except channel.ChannelError as error:
            self.condemn(f"the target wrote into untrod's pipe: {error}")
            return None
        if any(header.pop("ticket", None) != self._ticket for header, _ in frames) or len(frames) > 1:
            self.condemn("the target wrote into untrod's pipe: a frame of its own")
            return None
        if frames:
            self.busy = self._ticket = ""
            self._interrupting = False
            self._view.withdraw()
        if ended:
            self._cut_off = self._outlives_its_pipe()
            self.kill()
        return frames[0] if frames else None

    def condemn(self, cause: str) -> None:
        """Kill a worker whose answer is malformed. `cause` says how, as a sentence."""
        self._garbled = cause
        self.kill()

    # ---- watching ----

    def tick(self) -> None:
        """Enforce the deadlines, keep the log short, notice a death. To be called every few hundredths."""
        if self._exited():
            self.kill()
            return
        sighting = self._view.look()
        cpu = cpu_clock(self.pid) if sighting.running else 0.0
        # A crowded machine is not the target's fault: time without a core does not count against it.
        now = time.monotonic() - queued(self.pid)
        verdict = self._deadlines.observe(sighting, now, cpu, busy=bool(self.busy))
        if verdict is Verdict.KILL:
            self._overdue = self._deadlines.cause
            self.kill()
            return
        if verdict is Verdict.STOP:
            self._ask(sighting.serial, Reason.TIMEOUT)
        elif self._interrupting:
            self._ask(beacon.EVERY, Reason.INTERRUPT)
        if os.fstat(self._log.fileno()).st_size > _LOG_CAP:
            os.ftruncate(self._log.fileno(), 0)

    def interrupt(self) -> None:
        """Raise Interrupted in whatever episode runs, until the operation under way has been answered."""
        if self.busy:
            self._interrupting = True
            self._ask(beacon.EVERY, Reason.INTERRUPT)

    def cpu(self) -> float:
        """CPU seconds this worker has used, final once it is dead."""
        return self._spent if self.death else cpu_clock(self.pid)

    # ---- ending ----

    def dismiss(self) -> None:
        """Ask the worker to end when its operation, if any, is done."""
        self.interrupt()
        self._queue("close")

    def kill(self) -> None:
        """End the process, its group and everything it started, now. Blocks only until the kernel has."""
        if self.death is not None:
            return
        kill_group(self.pid)
        _, status, usage = os.wait4(self.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        self._spent = usage.ru_utime + usage.ru_stime
        kill_marked(self._marker)
        self.death = self._examine()
        self._release()

    # ---- helpers ----

    def _spawn(self, folder: Path) -> None:
        beacon_memory, self._view = beacon.create()
        commands, self.commands = os.pipe()
        self.replies, replies = os.pipe()
        inherited = (commands, replies, beacon_memory)
        os.set_blocking(self.commands, False)
        os.set_blocking(self.replies, False)
        _append_only(self._log.fileno())
        self._process = launch.start(
            [sys.executable, "-P", "-m", "untrod.runtime.worker", *map(str, (*inherited, os.getpid()))],
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            pass_fds=inherited,
            cwd=folder,
            env=_environment(os.environ, self._marker, folder),
        )
        self.pid = self._process.pid
        for descriptor in inherited:
            os.close(descriptor)

    def _queue(self, op: str, body: Json = None, blob: bytes = b"") -> None:
        header = {"op": op, "body": body, "ticket": self._ticket}
        self.unsent.append(memoryview(channel.encode(header, blob)))
        self.flush()

    def _ask(self, serial: int, reason: Reason) -> None:
        self._view.request(serial, reason)
        os.kill(self.pid, SIGNAL)  # not reaped yet, so the number is still its own

    def _exited(self) -> bool:
        """Without reaping it, so that its process group can still be named safely."""
        if not hasattr(os, "waitid"):
            return False  # the end of its pipe must do
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self.pid, flags) is not None

    def _outlives_its_pipe(self) -> bool:
        """Whether the worker lives on although its pipe has ended, and is not just about to be gone.

        SIGSTOP tells them apart: it freezes a living process, before it can run further episodes, and
        means nothing to a dying one.
        """
        if not hasattr(os, "waitid"):
            return False
        os.kill(self.pid, signal.SIGSTOP)
        fate = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WSTOPPED | os.WNOWAIT)
        return fate is not None and fate.si_code == os.CLD_STOPPED

    def _examine(self) -> Death:
        oom_kills = kernel_oom_kills()
        outcome, cause = examine(
            Evidence(
                status=self._process.returncode,
                farewell=self._view.farewell(),
                overdue=self._overdue,
                garbled=self._garbled,
                cut_off=self._cut_off,
                oom_kills=oom_kills if oom_kills < 0 else oom_kills - self._oom_kills,
            )
        )
        sighting = self._view.look()
        answers, truncated = self._view.answers()
        episode = sighting.episode if sighting.running else None
        return Death(outcome, cause, episode, answers, truncated, self._read_log())

    def _read_log(self) -> str:
        descriptor = self._log.fileno()
        size = os.fstat(descriptor).st_size
        return os.pread(descriptor, _LOG_TAIL, max(0, size - _LOG_TAIL)).decode(errors="replace")

    def _release(self) -> None:
        os.close(self.commands)
        os.close(self.replies)
        self._view.close()
        self._log.close()


def _append_only(descriptor: int) -> None:
    """So that writers go on at the new end after the log has been cut."""
    flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
    fcntl.fcntl(descriptor, fcntl.F_SETFL, flags | os.O_APPEND)


def _environment(ours: Mapping[str, str], marker: str, folder: Path) -> dict[str, str]:
    return {
        **with_own_root({name: value for name, value in ours.items() if name != SECRET}),
        "PYTHONHASHSEED": "0",
        "TMPDIR": str(folder / "tmp"),
        MARKER: marker,
    }
