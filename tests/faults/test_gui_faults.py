"""A browser is never left running, whatever becomes of untrod, of its worker or of the application."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from untrod.core.errors import UntrodError
from untrod.drivers.protocol import Outcome
from untrod.drivers.web.chromium import find_chromium
from untrod.drivers.web.driver import WebDriver
from untrod.runtime.processes import TREE, in_tree

TOKEN = "UNTROD_TEST_OF_LEFTOVERS"
pytestmark = pytest.mark.timeout(600)  # a browser on a busy machine is slow, not broken


@pytest.fixture
def notes(examples):
    """The application, in a process of its own, and its address."""
    try:
        find_chromium()
    except UntrodError as error:
        pytest.skip(str(error))
    command = [sys.executable, str(examples / "notes_app.py"), "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()
        process.kill()


def carriers(token: str) -> list[str]:
    """The commands of the living processes whose environment has the token."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if f"{TOKEN}={token}".encode() in Path(f"/proc/{name}/environ").read_bytes():
                found.append(Path(f"/proc/{name}/cmdline").read_bytes().decode(errors="replace"))
        except OSError:
            continue
    return found


def gone(token: str, seconds: float = 60.0) -> bool:
    deadline = time.monotonic() + seconds
    while carriers(token) and time.monotonic() < deadline:
        time.sleep(0.1)
    return not carriers(token)


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks for processes in /proc")
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT], ids=["killed", "interrupted"])
def test_no_browser_outlives_untrod(notes, project, end):
    token = f"{os.getpid()}-{end}"
    command = [sys.executable, "-m", "untrod", "gui", notes[1], "--spec", "F [text ~ nowhere]", "--json"]
    process = subprocess.Popen(
        command,
        cwd=project.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, TOKEN: token},
    )
    with process:
        assert process.stdout is not None
        for line in process.stdout:
            if json.loads(line)["event"] == "progress":
                break
        assert any("--user-data-dir=" in command for command in carriers(token)), "a browser is running"
        process.send_signal(end)
        rest = process.stdout.read()
    assert gone(token)
    if end == signal.SIGINT:
        last = json.loads(rest.splitlines()[-1])
        assert (last["event"], last["reason"]) == ("campaign-finished", "interrupted")
        assert process.returncode == 0


def test_an_application_that_dies_is_a_dead_page_and_then_one_clear_line(notes):
    process, url = notes
    driver = WebDriver(url)
    try:
        screen = driver.reset()
        (about,) = [action for action in driver.actions(screen) if action.detail == "About"]
        process.kill()
        process.wait()
        step = driver.step(about)
        assert step.outcome is Outcome.CRASHED
        assert [event.kind for event in step.screen.events] == ["dead-page"]
        with pytest.raises(
            UntrodError, match=r"cannot be reached: net::ERR_CONNECTION_REFUSED .*start the app"
        ):
            driver.reset()
    finally:
        driver.close()
    assert in_tree(os.environ[TREE].split(":")[-1]) == []
