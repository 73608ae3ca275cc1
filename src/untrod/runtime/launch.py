"""The one place that starts processes: whatever is started here ends with untrod, however untrod ends.

    process = start([sys.executable, "-m", "pytest"], cwd=folder)
    ...
    end(process)                       # it, its process group, and all that it has started

Everything carries a mark in its environment, which what it starts inherits. A warden (`warden.py`), a small
process beside ours, waits for our end: also after a kill -9 it kills what carries our mark, and removes the
folders and files that it was told of (`remove_after_us`). Marks nest: a hunt's turn carries that of the hunt
and has one of its own, so either can be killed.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import site
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from untrod.runtime.processes import MARKER, TREE, WARDEN, kill_group, kill_in_tree

_POLL = 0.05
_ROOT = str(Path(__file__).resolve().parents[2])
_WARDEN = (
    "import sys; sys.path.insert(0, {root!r}); "
    "from untrod.runtime.warden import main; main({tree!r}, {parent})"
)


class Process(subprocess.Popen[Any]):
    """What was started, with the mark that it and its descendants carry."""

    mark = ""


def start(
    command: Sequence[str | bytes | os.PathLike[str]], *, env: Mapping[str, str] | None = None, **options: Any
) -> Process:
    """`subprocess.Popen` in a session of its own: Ctrl-C is ours to pass on, its group is ours to kill."""
    begin()
    mark = secrets.token_hex(8)
    environment = {**(os.environ if env is None else env), TREE: f"{os.environ.get(TREE, '')}:{mark}"}
    process = Process(command, env=environment, start_new_session=True, **options)
    process.mark = mark
    return process


def begin() -> None:
    """From now on all that this process starts carries its mark, also what libraries start.

    In a worker there is nothing to do: whoever supervises it kills what it starts.
    """
    if MARKER not in os.environ and not _warden.is_needless:
        _warden.begin()


def is_looked_after() -> None:
    """The process that started this one has a warden, which kills what this one starts, too: one will do."""
    _warden.is_needless = True


def run(
    command: Sequence[str | bytes | os.PathLike[str]], *, timeout: float | None = None, **options: Any
) -> subprocess.CompletedProcess[Any]:
    """`subprocess.run` without standard input; nothing that it started is left. Raises TimeoutExpired."""
    with start(command, stdin=subprocess.DEVNULL, **options) as process:
        try:
            out, err = process.communicate(timeout=timeout)
        finally:
            end(process)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def wait(process: Process, seconds: float, stop: Callable[[], bool] = lambda: False) -> int | None:
    """The exit status, or None after `seconds` or when `stop` says so. Nothing is left of it in any case."""
    deadline = time.monotonic() + seconds
    try:
        while True:
            try:
                return process.wait(min(_POLL, max(0.0, deadline - time.monotonic())))
            except subprocess.TimeoutExpired:
                if stop() or time.monotonic() >= deadline:
                    return None
    finally:
        end(process)


def end(process: Process) -> None:
    """Kill it and all that it has started, wherever that hid, and reap it."""
    if process.poll() is None:
        kill_group(process.pid)
        process.wait()
    kill_in_tree(process.mark)


def ask_to_end(process: Process, patience: float) -> None:
    """SIGTERM for its group first; what is left after `patience` seconds is killed."""
    if process.poll() is None:
        try:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(patience)
        except (ProcessLookupError, PermissionError, subprocess.TimeoutExpired):
            pass
    end(process)


def remove_after_us(path: Path) -> None:
    """From now on `path`, a folder of ours or a file, is removed should we die."""
    begin()
    _warden.tell({"remove": str(path)})


def temporary_folder(prefix: str, root: Path | None = None) -> Path:
    """A new folder beneath `root`, or where temporary ones go, that is removed should we die."""
    path = (root or Path(tempfile.gettempdir())).resolve() / f"{prefix}{secrets.token_hex(8)}"
    remove_after_us(path)  # before it is made: there is no moment at which it could be left
    path.mkdir(0o700)
    return path


def keep_after_us(path: Path) -> None:
    """Takes back `remove_after_us`: `path` is gone already, or is to stay."""
    _warden.tell({"keep": str(path)})


@contextmanager
def removed_with_us(path: Path) -> Iterator[None]:
    """Within the block, `path` is removed should we die."""
    remove_after_us(path)
    try:
        yield
    finally:
        keep_after_us(path)


def own_root() -> str:
    """Where untrod is imported from, unless it is installed: site-packages must not precede the stdlib."""
    installed = {os.path.realpath(path) for path in (*site.getsitepackages(), site.getusersitepackages())}
    return "" if _ROOT in installed else _ROOT


def with_own_root(environment: Mapping[str, str]) -> dict[str, str]:
    """So that a Python process can import untrod, wherever we were imported from."""
    paths = [own_root(), environment.get("PYTHONPATH")]
    return {**environment, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


class _Warden:
    """Ours is started with the first process that we start; a fork of us needs one of its own."""

    def __init__(self) -> None:
        self.is_needless = False
        self._lock = threading.Lock()
        self._owner = 0
        self._pipe = -1
        self._process: subprocess.Popen[bytes] | None = None

    def tell(self, message: dict[str, str]) -> None:
        if self._owner != os.getpid():
            return  # in a worker: our folders lie in one of somebody who looks after them
        try:
            os.write(self._pipe, json.dumps(message).encode() + b"\n")
        except OSError:
            pass  # somebody has killed it: the next start of untrod sweeps

    def begin(self) -> None:
        with self._lock:
            if self._owner != os.getpid():
                self._start()
                self._owner = os.getpid()

    def _start(self) -> None:
        if self._pipe >= 0:
            os.close(self._pipe)  # that of the process that has forked us
        outer, own = os.environ.get(TREE, ""), secrets.token_hex(8)
        theirs, self._pipe = os.pipe()
        code = _WARDEN.format(root=_ROOT, tree=own, parent=os.getpid())
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", code],
                stdin=theirs,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                start_new_session=True,
                env={**os.environ, WARDEN: "1"},
            )
        finally:
            os.close(theirs)
        os.environ[TREE] = f"{outer}:{own}" if outer else own  # the warden itself carries the outer ones only


_warden = _Warden()
