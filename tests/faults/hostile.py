"""A small real job whose targets misbehave, one function each: what the fault tests run in real workers.

The spec's `script` names the target of each episode, the last one repeating. A trace is the index of a
target in TARGETS.
"""

from __future__ import annotations

import atexit
import builtins
import contextlib
import ctypes
import faulthandler
import itertools
import json
import multiprocessing
import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.core.protocols import Batch, Beacon
from untrod.core.vocabulary import Json, Outcome, Trace
from untrod.runtime import guard, randomness
from untrod.runtime.deadline import EpisodeTimeout, Interrupted

TARGETS: dict[str, Callable[[], object]] = {}


def target(function: Callable[[], object]) -> Callable[[], object]:
    TARGETS[function.__name__] = function
    return function


class HostileJob:
    def __init__(self, spec: Json, beacon: Beacon) -> None:
        if "complain" in spec:
            raise UntrodError(spec["complain"], "try something else")
        self._script = spec["script"]
        self._beacon = beacon
        self._skipped: set[int] = set()
        self._episodes = 0

    def run(self, batch: Batch) -> Json:
        results = []
        for _ in range(batch.episodes):
            number = self._episodes
            self._episodes += 1
            name = self._script[min(number, len(self._script) - 1)]
            if number in self._skipped:
                results.append([number, "skipped", ""])
                continue
            result = self._once(number, name)
            results.append([number, *result])
            if result[0] == "interrupted":
                break
        return {"episodes": self._episodes, "results": results}

    def replay(self, trace: Trace) -> Json:
        return self._once(0, list(TARGETS)[int(trace.answers[0] or 0)])

    def skip(self, episodes: list[tuple[int, bool]]) -> None:
        self._skipped.update(number for number, _ in episodes)

    def snapshot(self) -> bytes:
        return json.dumps({"episodes": self._episodes}).encode()

    def restore(self, blob: bytes) -> Json:
        self._episodes = json.loads(blob)["episodes"]
        return {"episodes": self._episodes}

    def _once(self, number: int, name: str) -> tuple[str, str]:
        beacon = self._beacon
        randomness.reseed(number)
        guard.go_home()
        try:
            beacon.begin(number)
            beacon.trace([list(TARGETS).index(name)])
            value = TARGETS[name]()
            beacon.end()
        except Interrupted:
            beacon.end()
            return "interrupted", ""
        except EpisodeTimeout:
            beacon.end()
            return Outcome.TIMED_OUT, ""
        except MemoryError:
            if name == "let_a_memory_error_escape":
                raise
            beacon.end()
            return Outcome.OUT_OF_MEMORY, ""
        except SystemExit as error:
            beacon.end()
            return Outcome.EXITED, str(error.code)
        except guard.Refused as error:
            beacon.end()
            return Outcome.REFUSED, str(error)
        except BaseException as error:
            beacon.end()
            return Outcome.FAILED, type(error).__name__
        return Outcome.VALID, repr(value)


# ---- ending the process ----


@target
def fine() -> str:
    return "fine"


@target
def nap() -> str:
    time.sleep(0.2)
    return "rested"


@target
def outlast_the_timers() -> str:
    time.sleep(1.2)
    return "rested"


@target
def system_exit() -> None:
    sys.exit("bye")


@target
def os_exit() -> None:
    os._exit(3)


@target
def segfault() -> None:
    ctypes.string_at(0)


@target
def kill_itself() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@target
def hanging_exit_handler() -> None:
    atexit.register(time.sleep, 3600)


# ---- taking too long ----


@target
def busy() -> None:
    while True:
        pass


@target
def sleep_forever() -> None:
    time.sleep(3600)


@target
def swallow_everything() -> None:
    while True:
        try:
            time.sleep(3600)
        except BaseException:
            continue


@target
def busy_in_c() -> None:
    sum(itertools.repeat(0))  # never returns to the interpreter, so no exception can be raised in it


@target
def ignore_all_signals() -> None:
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        with contextlib.suppress(OSError):
            signal.signal(number, signal.SIG_IGN)


@target
def set_an_alarm() -> None:
    signal.setitimer(signal.ITIMER_REAL, 0.8)


@target
def disable_faulthandler() -> None:
    faulthandler.disable()
    faulthandler.dump_traceback_later(0.8, exit=True, file=sys.__stderr__)


# ---- memory and stack ----


@target
def allocate_1_gb() -> None:
    bytearray(2**30)


@target
def allocate_50_gb() -> None:
    bytearray(50 * 2**30)


@target
def let_a_memory_error_escape() -> None:
    raise MemoryError


@target
def creep_out_of_memory() -> None:
    hoard = []
    while True:
        hoard.append(bytearray(2**20))


@target
def recurse() -> None:
    recurse()


@target
def overflow_the_c_stack() -> None:
    sys.setrecursionlimit(10**8)
    nest: list[object] = []
    for _ in range(10**5):
        nest = [nest]
    repr(nest)


@target
def tiny_recursion_limit() -> None:
    for depth in itertools.count(1):
        with contextlib.suppress(RecursionError):
            sys.setrecursionlimit(depth)
            return


@target
def change_limits() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (1, 1))


# ---- other processes and threads ----


@target
def fork_and_return() -> str:
    return "child" if os.fork() == 0 else "parent"


@target
def leave_a_mark() -> None:
    Path(f"mark-{os.getpid()}").touch()


@target
def count_marks_after_the_child() -> int:
    os.waitpid(-1, 0)
    return len(list(Path().glob("mark-*")))


@target
def fork_and_linger() -> None:
    if os.fork() == 0:
        time.sleep(3600)


@target
def spawn_and_leave() -> None:
    subprocess.Popen(["sleep", "3600"], start_new_session=True)


@target
def multiprocess() -> None:
    multiprocessing.get_context("spawn").Process(target=print).start()


@target
def spinning_daemon_thread() -> None:
    threading.Thread(target=busy, daemon=True).start()


@target
def lingering_thread() -> None:
    threading.Thread(target=sleep_forever).start()


@target
def signal_another_process() -> None:
    os.kill(os.getppid(), signal.SIGTERM)


# ---- descriptors and output ----


@target
def close_all_descriptors() -> None:
    os.closerange(0, 100_000)


@target
def close_all_descriptors_in_c() -> None:
    for descriptor in range(10_000):
        ctypes.CDLL(None).close(descriptor)
    time.sleep(3600)


@target
def print_megabytes() -> None:
    for _ in range(50):
        print("x" * 100_000)
        print("y" * 100_000, file=sys.stderr)
        os.write(1, b"z" * 100_000)


@target
def write_into_every_pipe() -> None:
    for descriptor in range(3, 10_000):
        with contextlib.suppress(OSError):
            os.write(descriptor, b"nonsense")
    time.sleep(3600)


# ---- the machine around us ----


@target
def write_outside() -> None:
    Path(os.environ["PRECIOUS"]).write_text("gone")


@target
def delete_outside_quietly() -> None:
    shutil.rmtree(Path(os.environ["PRECIOUS"]).parent, ignore_errors=True)


@target
def write_inside() -> str:
    Path("notes").mkdir(exist_ok=True)
    Path("notes/a.txt").write_text("kept")
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"also inside")
    return Path("notes/a.txt").read_text()


@target
def connect() -> None:
    socket.create_connection(("127.0.0.1", 9), timeout=1)


@target
def leave_home() -> None:
    os.chdir("/")


@target
def where_am_i() -> str:
    return os.path.basename(os.path.dirname(os.getcwd()))


# ---- exceptions and values ----


class Own(BaseException):
    def __str__(self) -> str:
        raise RuntimeError("not even printable")


@target
def raise_own_base_exception() -> None:
    raise Own


@target
def raise_keyboard_interrupt() -> None:
    raise KeyboardInterrupt


@target
def raise_generator_exit() -> None:
    raise GeneratorExit


@target
def return_a_lambda() -> object:
    return lambda: None


# ---- the interpreter itself ----


@target
def draw() -> list[float]:
    return [random.random(), random.randint(0, 10**9)]


@target
def spoil_random() -> None:
    random.seed(4)
    random.random = lambda: 4.0  # chosen by fair dice roll
    random.Random.randrange = lambda *_: 4  # type: ignore[method-assign]


@target
def mangle_builtins() -> None:
    for name in vars(builtins):
        if not name.startswith("__"):
            setattr(builtins, name, None)


@target
def mangle_modules() -> None:
    os.read = os.write = os.getpid = json.dumps = None  # type: ignore[assignment]
    sys.modules.clear()
