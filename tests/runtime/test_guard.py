"""The guard in a process of its own, because an audit hook stays for good."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ATTEMPT = """
import json, os, sys
from untrod.runtime import guard
scratch, outside, allow, source = sys.argv[1:5]
os.chdir(scratch)
guard.install(scratch, frozenset(allow.split()))
outcome = "fine"
try:
    exec(source, {"outside": outside, "scratch": scratch, "guard": guard})
except guard.Refused as refused:
    outcome = str(refused)
except OSError as error:
    outcome = type(error).__name__
refusals = [refusal.to_json() for refusal in guard.drain()]
print(json.dumps([outcome, refusals, guard.drain()]))
"""


MANGLED = """
import builtins
sound = dict(vars(builtins))
repair = vars(builtins).update
try:
    nothing = dict.fromkeys([name for name in sound if name[0] != "_" and name != "open"])
    vars(builtins).update(nothing)
    open(outside + "/file", "w")
finally:
    repair(sound)
"""


class Place:
    def __init__(self, folder: Path) -> None:
        self.scratch, self.outside = folder / "scratch", folder / "outside"
        self.scratch.mkdir()
        self.outside.mkdir()
        (self.outside / "file").write_text("kept")

    def attempt(self, source: str, allow: str = "") -> tuple[str, list[dict[str, object]]]:
        arguments = [str(self.scratch), str(self.outside), allow, source]
        done = subprocess.run(
            [sys.executable, "-c", ATTEMPT, *arguments], capture_output=True, text=True, check=True
        )
        outcome, refusals, drained = json.loads(done.stdout.splitlines()[-1])
        assert drained == []
        return outcome, refusals


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.mark.parametrize(
    "source",
    [
        "open(outside + '/file', 'w')",
        "open(outside + '/file', 'r+')",
        "open(outside + '/file', 'ab')",
        "open(outside + '/new', 'x')",
        "import os; os.open(outside + '/file', os.O_RDWR)",
        "import os; os.remove(outside + '/file')",
        "import os; os.rename(outside + '/file', scratch + '/file')",
        "import os; os.replace(outside + '/file', outside + '/other')",
        "import os; os.mkdir(outside + '/folder')",
        "import os; os.rmdir(outside)",
        "import os; os.chmod(outside + '/file', 0)",
        "import os; os.truncate(outside + '/file', 0)",
        "import os; os.utime(outside + '/file')",
        "import os; os.link(outside + '/file', scratch + '/file')",
        "import os; os.symlink('x', outside + '/link')",
        "import os; os.symlink(outside, 'link'); open('link/file', 'w')",
        "import os; os.symlink(outside + '/file', 'link'); open('link', 'w')",
        "open('../outside/file', 'w')",
        "open(scratch + '-twin', 'w')",
        "import os; os.remove('file', dir_fd=os.open(outside, os.O_RDONLY))",
        "import shutil; shutil.rmtree(outside)",
        "import shutil; shutil.copy(outside + '/file', outside + '/copy')",
        "import pathlib; pathlib.Path(outside, 'file').write_text('gone')",
        "import sqlite3; sqlite3.connect(outside + '/base.db')",
        "import sqlite3; sqlite3.connect('file:' + outside + '/base.db', uri=True)",
        "import os; os.chdir(outside); open('file', 'w')",
        MANGLED,
    ],
)
def test_changing_files_outside_is_refused(place, source):
    outcome, refusals = place.attempt(source)
    assert outcome.startswith("untrod's guard refused to ")
    assert outcome.endswith("allow it with --allow write")
    assert [refusal["permission"] for refusal in refusals] == ["write"]
    assert [path.name for path in place.outside.iterdir()] == ["file"]
    assert (place.outside / "file").read_text() == "kept"


@pytest.mark.parametrize(
    "source",
    [
        "open(outside + '/file').read()",
        "open('/dev/null', 'w').write('x')",
        "open('new', 'w').write('x')",
        "import tempfile; tempfile.tempdir = scratch; tempfile.TemporaryFile().write(b'x')",
        "import os; os.mkdir('a'); os.rename('a', 'b'); os.rmdir('b')",
        "import os; os.symlink(outside, 'link'); os.remove('link')",
        "import shutil, os; os.makedirs('a/b'); shutil.rmtree('a')",
        "import sqlite3; sqlite3.connect(':memory:'); sqlite3.connect('base.db')",
        "import asyncio, time; asyncio.run(asyncio.sleep(0))",
        "import socket; a, b = socket.socketpair(); a.send(b'x'); a.sendmsg([b'y'])",
        "import os; os.kill(os.getpid(), 0)",
        "with guard.paused(): open(outside + '/file', 'a').write('')",
    ],
)
def test_what_harms_nobody_is_allowed(place, source):
    assert place.attempt(source) == ("fine", [])


@pytest.mark.parametrize(
    ("source", "refused"),
    [
        ("import socket; socket.create_connection(('127.0.0.1', 9), 5)", []),
        ("import socket; socket.getaddrinfo('localhost', '9')", []),
        ("import socket; socket.create_connection(('127.0.0.1', 10), 5)", ["network"]),
        ("import socket; socket.socket().bind(('127.0.0.1', 9))", ["network"]),
        ("import subprocess; subprocess.run(['true'])", []),
        ("open(outside + '/file', 'w')", ["write"]),
    ],
)
def test_what_drives_a_browser_may_reach_its_port_and_start_processes(place, source, refused):
    _, refusals = place.attempt(source, "children network:9")
    assert [refusal["permission"] for refusal in refusals] == refused


@pytest.mark.parametrize(
    ("source", "permission"),
    [
        ("import os; os.fork()", "processes"),
        ("import os; os.system('true')", "processes"),
        ("import os; os.posix_spawn('/bin/true', ['true'], {})", "processes"),
        ("import os; os.execv('/bin/true', ['true'])", "processes"),
        ("import subprocess; subprocess.run(['true'])", "processes"),
        ("import pty; pty.spawn('true')", "processes"),
        ("import os; os.kill(os.getppid(), 15)", "processes"),
        ("import os; os.kill(-1, 15)", "processes"),
        ("import os; os.killpg(1, 15)", "processes"),
        ("import resource as r; r.setrlimit(r.RLIMIT_CPU, (1, 1))", "processes"),
        ("import socket; socket.socket().connect(('127.0.0.1', 9))", "network"),
        ("import socket; socket.socket().bind(('127.0.0.1', 0))", "network"),
        ("import socket; socket.getaddrinfo('localhost', 80)", "network"),
        ("import socket as s; s.socket(type=s.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))", "network"),
        ("import socket as s; s.socket(s.AF_UNIX).connect('/run/nothing')", "network"),
        ("import urllib.request as u; u.urlopen('http://localhost:9/')", "network"),
    ],
)
def test_processes_and_network_are_refused(place, source, permission):
    outcome, refusals = place.attempt(source)
    assert [refusal["permission"] for refusal in refusals] == [permission]
    if "urlopen" not in source:  # which wraps what it catches
        assert outcome.endswith(f"allow it with --allow {permission}")


@pytest.mark.parametrize(
    ("source", "allow"),
    [
        ("open(outside + '/new', 'w')", "write"),
        ("import subprocess; subprocess.run(['true'], check=True)", "processes"),
        ("import socket; socket.socket().bind(('127.0.0.1', 0))", "network"),
    ],
)
def test_a_permission_permits(place, source, allow):
    assert place.attempt(source, allow) == ("fine", [])


def test_the_message_names_what_was_attempted(place):
    outcome, _ = place.attempt("open('/etc/x', 'w')")
    assert outcome == "untrod's guard refused to write /etc/x (open); allow it with --allow write"


def test_refusals_are_counted_not_repeated_and_bounded(place):
    loop = """
for number in range(500):
    for path in ('/etc/same', f'/etc/x{number}'):
        try:
            open(path, 'w')
        except PermissionError:
            pass
"""
    outcome, refusals = place.attempt(loop)
    assert outcome == "fine"
    assert len(refusals) == 100
    assert refusals[0]["attempt"] == "write /etc/same"
    assert refusals[0]["times"] == 500


def test_a_pause_is_for_one_thread_only(place):
    outcome, refusals = place.attempt(
        "import threading\n"
        "with guard.paused():\n"
        "    thread = threading.Thread(target=lambda: open(outside + '/file', 'w'))\n"
        "    thread.start(); thread.join()\n"
    )
    assert outcome == "fine"
    assert len(refusals) == 1


@pytest.mark.parametrize(
    ("attempt", "kind", "number"),
    [
        ("open('/etc/x', 'w')", "PermissionError", "errno.EACCES"),
        ("os.mkdir('/etc/x')", "PermissionError", "errno.EACCES"),
        ("os.kill(1, 15)", "PermissionError", "errno.EPERM"),
        ("os.fork()", "BlockingIOError", "errno.EAGAIN"),
        ("subprocess.run(['true'])", "FileNotFoundError", "errno.ENOENT"),
        ("socket.socket().connect(('127.0.0.1', 9))", "ConnectionRefusedError", "errno.ECONNREFUSED"),
        ("socket.socket().bind(('127.0.0.1', 0))", "PermissionError", "errno.EACCES"),
        ("socket.getaddrinfo('example.org', 80)", "socket.gaierror", "socket.EAI_NONAME"),
        ("socket.gethostbyname('example.org')", "socket.gaierror", "socket.EAI_NONAME"),
    ],
)
def test_a_refusal_is_what_the_operating_system_would_raise(place, attempt: str, kind: str, number: str):
    source = f"""
import errno, os, socket, subprocess
try:
    {attempt}
except {kind} as error:
    assert error.errno == {number}, error.errno
    assert isinstance(error, guard.Refused) and type(error).__name__ == "Refused"
    assert str(error).startswith("untrod's guard refused to "), str(error)
else:
    raise SystemExit("nobody refused it")
"""
    outcome, refusals = place.attempt(source)
    assert outcome == "fine"
    assert len(refusals) == 1


def test_what_was_refused_since_is_told_by_its_events(place):
    source = """
import os
from untrod.runtime.guard import refused_since, refused_so_far
before = refused_so_far()
assert refused_since(before) == ()
for attempt in (lambda: open("/etc/x", "w"), lambda: open("/etc/y", "w"), lambda: os.mkdir("/etc/x")):
    try:
        attempt()
    except OSError:
        pass
assert refused_since(before) == ("open", "os.mkdir")
assert refused_since(refused_so_far()) == ()
"""
    assert place.attempt(source)[0] == "fine"


def test_files_that_were_read_by_absolute_names_are_told_once(place):
    source = """
open(outside + "/file").read()
open("here", "w").close()
open("here").close()
open(scratch + "/here").close()
assert guard.read_by_absolute_names() == (outside + "/file",), guard.read_by_absolute_names()
assert guard.read_by_absolute_names() == ()
"""
    assert place.attempt(source)[0] == "fine"


def test_that_a_variable_was_set_is_noticed(place):
    source = """
import os
guard.may_have_changed_variables()
assert not guard.may_have_changed_variables()
os.environ["SET_HERE"] = "1"
assert guard.may_have_changed_variables()
assert not guard.may_have_changed_variables()
del os.environ["SET_HERE"]
assert guard.may_have_changed_variables()
"""
    assert place.attempt(source)[0] == "fine"


def test_what_is_not_the_targets_is_refused_as_ever_and_not_remembered(place):
    source = """
open("of_the_target", "w").close()
with guard.unnoted():
    open("ours", "w").close()
    try:
        open("/etc/x", "w")
    except guard.Refused:
        pass
    else:
        raise SystemExit("nobody refused it")
assert guard.touched() == ("of_the_target",)
"""
    outcome, refusals = place.attempt(source)
    assert outcome == "fine"
    assert len(refusals) == 1


@pytest.mark.parametrize(
    "attempt",
    [
        "made.connect(('no.such.host', 80))",
        "made.connect_ex(('no.such.host', 80))",
        "made.bind(('no.such.host', 80))",
        "made.sendto(b'x', ('no.such.host', 80))",
        "made.sendto(b'x', 0, ('no.such.host', 80))",
        "made.sendmsg([b'x'], [], 0, ('no.such.host', 80))",
    ],
)
def test_no_name_is_looked_up_before_the_guard_is_asked(place, attempt: str) -> None:
    """CPython reports these calls when it has done so."""
    source = f"""
import socket
made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
try:
    {attempt}
except guard.Refused:
    pass
"""
    outcome, refusals = place.attempt(source)
    assert outcome == "fine"
    assert [refusal["event"].partition(".")[0] for refusal in refusals] == ["untrod"]


@pytest.mark.parametrize("address", ["('127.0.0.1',)", "7", "None", "('127.0.0.1', Sly())"])
def test_an_address_that_is_none_is_refused_or_an_error(place, address: str) -> None:
    source = f"""
import socket
class Sly(int):
    def __eq__(self, other):
        return True
    __hash__ = int.__hash__
try:
    socket.socket().connect({address})
except (OSError, TypeError):
    pass
else:
    raise SystemExit("it was connected")
"""
    assert place.attempt(source)[0] == "fine"
