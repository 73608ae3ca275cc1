"""The kernel's walls alone, in a process of its own: what gets past the guard does not get past them."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from untrod.runtime import landlock

pytestmark = pytest.mark.skipif(not landlock.abi(), reason="this kernel has no Landlock")

ATTEMPT = """
import json, os, sys
from untrod.runtime import confine
scratch, outside, allow, source = sys.argv[1:5]
os.chdir(scratch)
notices = confine.enclose(scratch, frozenset(allow.split()))
outcome = "fine"
try:
    exec(source, {"outside": outside, "scratch": scratch})
except Exception as error:
    outcome = type(error).__name__
print(json.dumps([outcome, notices]))
"""

HOLES = {
    "a folder's descriptor": "d = os.open(outside, os.O_RDONLY); "
    "os.open('file', os.O_WRONLY | os.O_TRUNC, dir_fd=d)",
    "an opener": "open('x', 'w', opener=lambda name, flags: os.open(outside + '/file', flags))",
    "SQLite attaches": "import sqlite3; c = sqlite3.connect('a.db'); "
    "c.execute(f\"attach '{outside}/new.db' as b\"); c.execute('create table b.t(x)')",
    "SQLite vacuums into": "import sqlite3; c = sqlite3.connect('a.db'); c.execute('create table t(x)'); "
    "c.execute(f\"vacuum into '{outside}/new.db'\")",
    "mkfifo": "os.mkfifo(outside + '/fifo')",
    "mknod": "os.mknod(outside + '/node')",
    "readline's history": "import readline; readline.write_history_file(outside + '/history')",
    "listening without binding": "import socket; socket.socket().listen()",
    "a process's descriptor": "import signal\n"
    "signal.pidfd_send_signal(os.pidfd_open(os.getppid()), signal.SIGURG)",
    "C": "import ctypes; c = ctypes.CDLL(None, use_errno=True)\n"
    "if c.unlink((outside + '/file').encode()): raise OSError(ctypes.get_errno(), 'unlink')",
    "C truncates": "import ctypes; c = ctypes.CDLL(None, use_errno=True)\n"
    "if c.truncate((outside + '/file').encode(), 0): raise OSError(ctypes.get_errno(), 'truncate')",
    "what it starts": "import subprocess; subprocess.run(['rm', outside + '/file'], check=True)",
    "UDP": "import ctypes, socket; s = socket.socket(type=socket.SOCK_DGRAM)\n"
    "a = (2).to_bytes(2, 'little') + (9).to_bytes(2, 'big') + bytes([127, 0, 0, 1]) + bytes(8)\n"
    "c = ctypes.CDLL(None, use_errno=True)\n"
    "if c.connect(s.fileno(), a, 16): raise OSError(ctypes.get_errno(), 'connect')",
    "a socket in the file system": "import ctypes, socket\n"
    "s, c = socket.socket(socket.AF_UNIX), ctypes.CDLL(None, use_errno=True)\n"
    "os.chdir(outside)\n"
    "a = (1).to_bytes(2, 'little') + b'../socket' + bytes(1)\n"
    "if c.connect(s.fileno(), a, len(a)): raise OSError(ctypes.get_errno(), 'connect')",
    "the machine's clock": "import time; time.clock_settime(time.CLOCK_REALTIME, time.time())",
}


class Place:
    def __init__(self, folder: Path) -> None:
        self.scratch, self.outside = folder / "scratch", folder / "outside"
        self.scratch.mkdir()
        self.outside.mkdir()
        (self.outside / "file").write_text("kept")
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(os.path.relpath(folder / "socket"))  # a name of that kind must be short
        self._listener.listen()

    def attempt(self, source: str, allow: str = "", code: str = ATTEMPT) -> str:
        arguments = [str(self.scratch), str(self.outside), allow, f"import os\n{source}"]
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
        )
        outcome, notices = json.loads(done.stdout.splitlines()[-1])
        assert notices == []
        return outcome

    @property
    def untouched(self) -> bool:
        return [path.name for path in self.outside.iterdir()] == ["file"] and (
            self.outside / "file"
        ).read_text() == "kept"

    def close(self) -> None:
        self._listener.close()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    monkeypatch.chdir(tmp_path)
    found = Place(tmp_path)
    yield found
    found.close()


@pytest.mark.parametrize("hole", HOLES)
def test_nothing_gets_through(place: Place, hole: str) -> None:
    assert place.attempt(HOLES[hole]) != "fine"
    assert place.untouched


@pytest.mark.parametrize(
    "source",
    [
        "open('f', 'w').close(); os.mkdir('a'); os.rename('f', 'a/f'); os.remove('a/f'); os.rmdir('a')",
        "os.mkfifo('fifo'); os.symlink('fifo', 'link'); os.truncate(os.open('f', os.O_CREAT | os.O_RDWR), 3)",
        "open(outside + '/file').read(); os.listdir('/')",
        "open('/dev/null', 'w').write('x')",
        "import subprocess; subprocess.run(['true'], check=True)",
        "import socket; a, b = socket.socketpair(); a.send(b'x')",
        "import signal; os.kill(os.getpid(), 0); signal.raise_signal(0) if False else None",
    ],
)
def test_what_harms_nobody_works(place: Place, source: str) -> None:
    assert place.attempt(source) == "fine"


def test_permissions_open_just_what_they_name(place: Place) -> None:
    write = "open(outside + '/new', 'w').write('x'); os.remove(outside + '/new')"
    connect = f"import socket; socket.create_connection(('127.0.0.1', {_port()}), 5)"
    signalling = "os.kill(os.getppid(), 0)"
    semaphore = "import multiprocessing; multiprocessing.Lock()"
    wanted = {"write": write, "processes": signalling, "network": connect}
    for allow in wanted:
        outcomes = {name: place.attempt(source, allow) for name, source in wanted.items()}
        assert [name for name, outcome in outcomes.items() if outcome == "fine"] == [allow]
    assert place.attempt(semaphore) != "fine"
    assert place.attempt(semaphore, "processes") == "fine"


def test_a_single_port_may_be_connected_to_and_no_other_and_none_bound(place: Place) -> None:
    open_, closed = _port(), _port()
    connect = "import socket; socket.create_connection(('127.0.0.1', {}), 5)"
    assert place.attempt(connect.format(open_), f"network:{open_}") == "fine"
    assert place.attempt(connect.format(closed), f"network:{open_}") != "fine"
    bind = "import socket; socket.socket().bind(('127.0.0.1', 0))"
    assert place.attempt(bind, f"network:{open_}") != "fine"


def test_children_may_be_started_and_signalled_and_nobody_else(place: Place) -> None:
    child = "import subprocess; p = subprocess.Popen(['sleep', '60']); p.kill(); p.wait()"
    assert place.attempt(child, "children") == "fine"
    assert place.attempt("os.kill(os.getppid(), 0)", "children") != "fine"
    listen = "import socket as s; u = s.socket(s.AF_UNIX); u.bind('u'); u.listen()"
    assert place.attempt(listen, "children") == "fine"


def _port() -> int:
    listener = socket.create_server(("127.0.0.1", 0))
    _open.append(listener)
    return listener.getsockname()[1]


_open: list[socket.socket] = []


GUARD_ALONE = ATTEMPT.replace(
    "notices = confine.enclose(scratch, frozenset(allow.split()))",
    "from untrod.runtime import guard; guard.install(scratch, frozenset(allow.split())); notices = []",
)
REMAIN = {"C", "C truncates", "UDP", "a socket in the file system", "the machine's clock"}
"""What the audit guard does not see; docs/safety.md lists it."""


@pytest.mark.parametrize("hole", sorted(HOLES.keys() - REMAIN))
def test_without_it_the_guard_closes_what_python_does(place: Place, hole: str) -> None:
    assert place.attempt(HOLES[hole], code=GUARD_ALONE) != "fine"
    assert place.untouched


def test_where_there_is_no_landlock_it_says_so(tmp_path: Path) -> None:
    """The kernel is made to refuse the system call, as some containers do."""
    code = (
        "import os\n"
        "from untrod.runtime import confine, landlock\n"
        "landlock._libc().prctl(38, 1, 0, 0, 0)\n"
        "assert landlock._filter(((444, 444),))\n"
        f"print(landlock.abi(), confine.enclose({str(tmp_path)!r}, frozenset()))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("0 [")
    assert "only the audit guard" in done.stdout


def test_signals_still_reach_what_is_confined(place: Place) -> None:
    code = (
        "import os, signal\n"
        "from untrod.runtime import confine\n"
        f"confine.enclose({str(place.scratch)!r}, frozenset())\n"
        "print('ready', flush=True)\n"
        "signal.pause()\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        os.kill(process.pid, signal.SIGTERM)
    assert process.returncode == -signal.SIGTERM
