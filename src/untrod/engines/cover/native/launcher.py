"""The process that runs programs under test: `python -m untrod.engines.cover.native.launcher`.

It reads requests from standard input and answers on standard output, in the frames of `runtime.channel`:

    {program, argv, files, seconds, wall, memory} and standard input
        -> {status, timed_out, left, cpu, sizes, names} and standard output, standard error, the counts

A program runs as nobody when we are root, in a folder that is emptied afterwards, with limits on memory,
files and processes, and with nothing but pipes. It may do what it likes: when it has ended, or its time is
up, everything it started is killed. When our standard input ends, nobody is there any more: we kill, clear
up and go.
"""

from __future__ import annotations

import ctypes
import os
import resource
import select
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from untrod.core.vocabulary import Json
from untrod.engines.cover.native.compiling import compiled
from untrod.engines.cover.native.emptying import empty, names_in, remove
from untrod.runtime import channel, launch
from untrod.runtime.processes import MARKER, TREE

MOST_OUTPUT = 1 << 20
MOST_COUNTS = 32 << 20
LARGEST_FILE = 16 << 20
MOST_PROCESSES = 64
NOBODY = 65534
_PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 36, 38
_LIMITS, _NOT_STARTED = Path(__file__).with_name("limits.c"), 125
_ENVIRONMENT = {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}
_SANITIZERS = {
    "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0:exitcode=86:allocator_may_return_null=1"
    ":handle_abort=1:handle_sigill=1:handle_sigtrap=1",
    "UBSAN_OPTIONS": "print_stacktrace=0:halt_on_error=1:exitcode=86",
}


class Gone(Exception):
    """The worker that asked has died."""


@dataclass(frozen=True, slots=True)
class Ended:
    status: int
    timed_out: bool
    left: int
    """Processes that it had started, and were still there."""
    stdout: bytes
    stderr: bytes


class Launcher:
    def __init__(self, programs: list[Path], marker: dict[str, str]) -> None:
        self._environment = {**_ENVIRONMENT, **_SANITIZERS, **marker}
        self.stage = Path(tempfile.mkdtemp(prefix="untrod-stage-"))
        self.stage.chmod(0o755)
        self._root = os.geteuid() == 0
        self._work, self._counts = self.stage / "work", self.stage / "counts"
        self._programs = self.stage / "programs"
        self._programs.mkdir()
        self._programs.chmod(0o755)
        for program in programs:
            shutil.copy(program, self._programs / program.name)
            (self._programs / program.name).chmod(0o755)
        self._limits = compiled(_LIMITS, self.stage / "limits")
        empty(self._work)
        empty(self._counts)
        prctl = ctypes.CDLL(None).prctl
        prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)  # no sudo
        for limit, most in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, LARGEST_FILE)):
            resource.setrlimit(limit, (most, most))
        self._most_processes = MOST_PROCESSES if self._root else MOST_PROCESSES + _tasks_of(os.getuid())
        _lift(resource.RLIMIT_AS)

    def serve(self, commands: int, replies: int) -> None:
        channel.write(replies, channel.encode({"folder": str(self.stage)}))
        while (request := channel.read(commands)) is not None:
            header, stdin = request
            ended = self._run(header, stdin, commands)
            channel.write(replies, self._reply(ended))

    def close(self) -> None:
        remove(self.stage)

    def _run(self, header: Json, stdin: bytes, commands: int) -> Ended:
        empty(self._work)
        for name, text in header["files"].items():
            (self._work / name).write_bytes(text.encode("latin-1"))
            (self._work / name).chmod(0o666)
        program = self._programs / header["program"]
        counts = {"GCOV_PREFIX": str(self._counts), "GCOV_PREFIX_STRIP": "99"}
        mine, theirs = os.pipe()
        os.write(theirs, stdin)  # a pipe holds more than the longest input
        os.close(theirs)
        seconds = header["seconds"]
        numbers = (
            NOBODY if self._root else 0,
            int(seconds * 1e6),
            self._most_processes,
            header["memory"] << 20,
        )
        words = [self._limits, *map(str, numbers), program, b"program"]
        try:
            process = subprocess.Popen(
                [*words, *(text.encode("latin-1") for text in header["argv"])],
                cwd=self._work,
                env={**self._environment, **counts},
                stdin=mine,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        finally:
            os.close(mine)
        used = _cpu()
        try:
            timed_out, stdout, stderr = _watch(process, commands, header["wall"])
        finally:
            left = _end_all(process)
        if process.returncode == _NOT_STARTED and stderr.startswith(b"limits: "):
            raise OSError(f"{program.name} cannot be run: {stderr[8:].decode()}")
        # It may ignore the timer and the first limit; the second one kills it, as it could do itself.
        killed = process.returncode == -signal.SIGKILL and _cpu() - used >= seconds
        timed_out = timed_out or killed or process.returncode in (-signal.SIGPROF, -signal.SIGXCPU)
        return Ended(process.returncode, timed_out, left, stdout, stderr)

    def _reply(self, ended: Ended) -> bytes:
        names, blobs = [], [ended.stdout, ended.stderr]
        for name in names_in(self._counts):
            counts = _counts_in(self._counts / name)
            if counts and sum(map(len, blobs)) + len(counts) <= MOST_COUNTS:
                names.append(name)
                blobs.append(counts)
        empty(self._counts)
        header = {
            "status": ended.status,
            "timed_out": ended.timed_out,
            "left": ended.left,
            "cpu": _cpu(),
            "sizes": [len(blob) for blob in blobs],
            "names": names,
        }
        return channel.encode(header, b"".join(blobs))


def _counts_in(path: Path) -> bytes:
    """Empty where it is not what gcc writes: the program can put there what it likes, links included."""
    if path.suffix != ".gcda" or not path.name.isascii() or not stat.S_ISREG(path.lstat().st_mode):
        return b""
    try:
        return path.read_bytes()
    except PermissionError:
        return b""


def _watch(process: subprocess.Popen[bytes], commands: int, seconds: float) -> tuple[bool, bytes, bytes]:
    """Until it has ended: was its time up, and what did it say? Raises Gone."""
    assert process.stdout is not None
    assert process.stderr is not None
    said: dict[int, bytearray] = {process.stdout.fileno(): bytearray(), process.stderr.fileno(): bytearray()}
    ended = os.pidfd_open(process.pid)
    poll = select.poll()
    for descriptor in (*said, ended):
        poll.register(descriptor, select.POLLIN)
    poll.register(commands, select.POLLIN)
    deadline, running = time.monotonic() + seconds, True
    try:
        while running:
            left = deadline - time.monotonic()
            if left <= 0:
                return True, *map(bytes, said.values())  # type: ignore[return-value]
            for descriptor, _ in poll.poll(left * 1000):
                if descriptor == commands:
                    raise Gone
                if descriptor == ended:
                    running = False
                elif not _drain(descriptor, said[descriptor]):
                    poll.unregister(descriptor)
        for descriptor, text in said.items():
            os.set_blocking(descriptor, False)
            while _drain(descriptor, text):
                pass
        return False, *map(bytes, said.values())  # type: ignore[return-value]
    finally:
        os.close(ended)


def _drain(descriptor: int, text: bytearray) -> bool:
    """Read what is there; False when nothing more will come, or nothing is there. Of much, the end is kept:
    there a sanitizer's report is."""
    try:
        data = os.read(descriptor, 1 << 16)
    except BlockingIOError:
        return False
    text += data
    del text[:-MOST_OUTPUT]
    return bool(data)


def _end_all(process: subprocess.Popen[bytes]) -> int:
    """Kill it and whatever it has started. How many were there besides it?"""
    _kill(process.pid, group=True)
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            _close(pipe)
    process.wait()
    left = 0
    while True:  # what its parent leaves behind becomes our child
        for child in _children():
            _kill(child)
        try:
            found, _ = os.waitpid(-1, 0)
        except ChildProcessError:
            return left
        left += found > 0


def _children() -> Iterator[int]:
    for task in Path("/proc/self/task").iterdir():
        try:
            yield from map(int, (task / "children").read_text().split())
        except OSError:
            continue


def _kill(pid: int, group: bool = False) -> None:
    try:
        (os.killpg if group else os.kill)(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def _close(pipe: IO[bytes]) -> None:
    try:
        pipe.close()
    except OSError:
        pass


def _cpu() -> float:
    """Seconds that this process and all that it ever started have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + used.ru_utime + used.ru_stime


def _tasks_of(user: int) -> int:
    """How many threads a user has."""
    found = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            found += len(os.listdir(process / "task")) if process.stat().st_uid == user else 0
        except OSError:
            continue  # it has ended
    return found


def _lift(limit: int) -> None:
    """As far as it can be lifted."""
    _, hard = resource.getrlimit(limit)
    resource.setrlimit(limit, (hard, hard))


def main(paths: list[str]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    launch.is_looked_after()  # a warden would be one more child, and all children are ended after each run
    commands, replies = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    # The supervisor kills what carries its marker. Programs shall; we go by ourselves, and clear up.
    marks = {MARKER: os.environ.get(f"_{MARKER}"), TREE: os.environ.get(TREE)}
    marker = {name: value for name, value in marks.items() if value}
    launcher = Launcher([Path(path) for path in paths], marker)
    try:
        launcher.serve(commands, replies)
    except (Gone, BrokenPipeError, channel.ChannelError):
        pass
    finally:
        launcher.close()


if __name__ == "__main__":
    main(sys.argv[1:])
