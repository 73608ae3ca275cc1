"""kill -9 at any moment: nothing is left running, the store is whole, and the campaign can be resumed.

The commands run side by side, as many as there are cores, and each is killed at a moment drawn from a seed.
"""

from __future__ import annotations

import http.server
import json
import os
import random
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from untrod.runtime.processes import TREE, in_tree

KILLS = 20  # of each verb
SOON = 5.0  # seconds, by which all must be gone on a machine that is not busy
LATEST = 2.5  # seconds after its start that a command is killed
MODULE = """
import os, subprocess, sys, time

def pick(choose):
    return [choose(range(5)) for _ in range(3)]

def check(items: list[int]) -> int:
    if len(items) == 2:
        try:
            subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
        except OSError:
            pass
    assert sum(items) != 3
    return len(items)
"""
SERVER = """
import subprocess, sys
from http.server import HTTPServer, BaseHTTPRequestHandler
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
class Page(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<button>x</button>")
    def log_message(self, *words): pass
HTTPServer(("127.0.0.1", int(sys.argv[1])), Page).serve_forever()
"""
GRAPH = json.loads((Path(__file__).parents[2] / "examples" / "simulations" / "notes.json").read_text())
COMMANDS = {
    "inputs": ["inputs", "mod.py:pick", "--test", "check", "--allow", "processes"],
    "worst": ["worst", "mod.py:check", "--allow", "processes"],
    "cover": ["cover", "mod.py", "--allow", "processes"],
    "gui": ["gui", "notes.json", "--spec", 'F [text = "nowhere"]'],
    "hunt": ["hunt", "mod.py", "--only", "cover", "--only", "inputs", "--no-coverage"],
}


class Victim:
    def __init__(self, folder: Path, words: list[str], moment: float) -> None:
        self.token, self._moment = secrets.token_hex(8), moment
        self._started = time.monotonic()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "untrod", *words, "--budget", "30s"],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, TREE: self.token},
        )

    def kill(self) -> float:
        """SIGKILL at its moment. How long it took until nothing of it was left."""
        try:
            self._process.wait(max(0.0, self._started + self._moment - time.monotonic()))
        except subprocess.TimeoutExpired:
            pass
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        killed = time.monotonic()
        while in_tree(self.token):
            assert time.monotonic() - killed < 60, [_command(pid) for pid in in_tree(self.token)]
            os.sched_yield()
        return time.monotonic() - killed


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return "(gone)"


@pytest.fixture
def port() -> int:
    with http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler) as server:
        return server.server_address[1]


@pytest.mark.parametrize("verb", COMMANDS)
def test_nothing_is_left_and_nothing_is_lost(project, verb: str, port: int) -> None:
    project.write("mod.py", MODULE)
    project.write("server.py", SERVER)
    project.write("notes.json", json.dumps(GRAPH))
    words = COMMANDS[verb]
    if verb == "hunt":
        words = [
            *words,
            "--app",
            f"http://127.0.0.1:{port}/",
            "--start",
            f"{sys.executable} server.py {port}",
        ]
    moments = random.Random(verb)
    times = []
    for _ in range(KILLS):
        victim = Victim(project.folder, words, moments.uniform(0.0, LATEST))
        times.append(victim.kill())
    assert sorted(times)[len(times) // 2] < SOON
    scratch = project.folder / ".untrod" / "scratch"
    assert not scratch.exists() or list(scratch.iterdir()) == []
    assert not list(project.folder.rglob("test_untrod_trial_*"))

    listed = project.untrod("campaigns", "list", "--json")
    assert listed.status == 0, listed.err
    campaigns = [json.loads(line) for line in listed.out.splitlines()]
    if verb != "hunt":
        again = project.untrod("campaigns", "resume", campaigns[0]["id"], "--budget", "4s", "--json")
        assert again.status in (0, 1), again.err
        assert again.of("campaign-finished")
