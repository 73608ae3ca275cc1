"""Ctrl-C in the verbs that run no campaign, and in those that go on with one."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path

import pytest
from test_interrupts import PROMISED, Meeting, leftovers, sluggishness

PIPES = ("met",)
MODULE = """
import os
HERE = {here!r}

def pick(choose):
    return [choose(range(5)) for _ in range(3)]

def check(items: list[int]) -> int:
    if os.path.exists(HERE + "/wait"):
        with open(HERE + "/met") as pipe:
            pipe.read()
    assert sum(items) != 3
    return len(items)
"""
NOTES = Path(__file__).parents[2] / "examples" / "simulations" / "notes.json"


class Command(Meeting):
    def __init__(self, project, words: list[str]) -> None:
        super().__init__(project, "", words, PIPES)
        self.project.write("mod.py", MODULE.format(here=str(project.folder)))


def ends_soon(command: Meeting, slow: float, *, statuses: tuple[int, ...] = (0, 1, 2, 130)) -> str:
    command.interrupt()
    took, out, err = command.end()
    slow += sluggishness()
    assert "Traceback" not in err
    assert command.process.returncode in statuses, err
    assert command.process.returncode != 130 or "untrod: interrupted" in err
    assert took < PROMISED + slow, err
    assert command.left_running() == []
    assert leftovers(command.project.folder) == []
    return out + err


@pytest.fixture
def found(project) -> str:
    """A finding's id. From then on the check waits."""
    project.write("mod.py", MODULE.format(here=str(project.folder)))
    done = project.untrod("inputs", "mod.py:pick", "--test", "check", "--budget", 300)
    assert done.status == 1, done.err
    (project.folder / "wait").touch()
    return done.out.partition("untrod replay ")[2].split()[0]


def campaign(project) -> str:
    listed = project.untrod("campaigns", "list", "--json")
    return json.loads(listed.out.splitlines()[0])["id"]


def test_while_a_finding_is_replayed(project, found) -> None:
    slow = sluggishness()
    command = Command(project, ["replay", found])
    held = command.at("met")
    assert "untrod: interrupted" in ends_soon(command, slow)
    os.close(held)


def test_while_a_test_is_replayed(project, found) -> None:
    (path,) = (project.folder / "tests" / "untrod").glob("test_*.py")
    slow = sluggishness()
    command = Command(project, ["replay", str(path)])
    held = command.at("met")
    assert "untrod: interrupted" in ends_soon(command, slow)
    os.close(held)


def test_while_a_campaign_goes_on(project, found) -> None:
    slow = sluggishness()
    command = Command(project, ["campaigns", "resume", campaign(project), "--budget", "60"])
    held = command.at("met")
    assert "report: " in ends_soon(command, slow)
    os.close(held)


def test_the_dashboard_while_a_browser_looks_on(project, found) -> None:
    pytest.importorskip("uvicorn")
    slow = sluggishness()
    command = Command(project, ["dashboard", "--json"])
    assert command.process.stdout is not None
    address = json.loads(command.process.stdout.readline())["address"]
    port, token = re.search(r":(\d+)/\?token=(\S+)", address).groups()
    with socket.create_connection(("127.0.0.1", int(port))) as browser:
        head = f"GET /live?of=/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n\r\n"
        browser.sendall(head.encode())
        assert b"200 OK" in browser.recv(4096)
        ends_soon(command, slow)


MOMENTS = {
    "explore maze": ["explore", "maze", "--side", "60", "--walker", "random", "--steps", "1000000"],
    "explore app-graph": ["explore", "app-graph", str(NOTES), "--walker", "frontier"],
    "explore screens": ["explore", "screens", str(NOTES), "--walker", "random", "--steps", "1000000"],
    "explore robustfill": ["explore", "robustfill", "GetToken_WORD_1", "--inputs", "100000"],
    "explore karel": ["explore", "karel", "def run ( ) : move ( )", "--inputs", "100000"],
    "train": ["train", "maze", "--side", "4", "--minutes", "5"],
    "train workers": ["train", "maze", "--side", "4", "--minutes", "5", "--workers", "2"],
    "train robustfill": ["train", "robustfill", "--minutes", "5"],
    "doctor": ["doctor"],
    "report": ["report"],
    "campaigns": ["campaigns", "list"],
    "gui": ["gui", str(NOTES), "--spec", "F [text ~ nowhere]", "--budget", "60"],
}
AT = (0.3, 0.7, 1.2, 2.0, 4.0)
"""Seconds after the start. What has ended by then has nothing to be interrupted."""


@pytest.mark.parametrize("verb", MOMENTS)
def test_at_any_moment(project, verb: str) -> None:
    if verb.startswith("train") and find_spec("torch") is None:
        pytest.skip("torch is not installed")
    for moment in AT:
        slow = sluggishness()
        (project.folder / "met").unlink(missing_ok=True)
        command = Command(project, MOMENTS[verb])
        try:
            command.process.wait(moment)
            break
        except subprocess.TimeoutExpired:
            pass
        ends_soon(command, slow, statuses=(0, 1, 2, 130, -2))


def test_a_second_one_ends_training_at_once(project) -> None:
    pytest.importorskip("torch")
    command = Command(project, MOMENTS["train workers"])
    deadline = time.monotonic() + 60
    while not any(project.folder.rglob("*.json")) and time.monotonic() < deadline:
        os.sched_yield()
    command.interrupt()
    command.interrupt()
    _, _, err = command.end()
    assert "Traceback" not in err
    assert command.left_running() == []
