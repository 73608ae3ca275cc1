"""A browser is never left running, whatever becomes of untrod, of its worker or of the application."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from untrod.core.errors import UntrodError
from untrod.drivers.protocol import StepOutcome
from untrod.drivers.web.chromium import find_chromium
from untrod.drivers.web.driver import WebDriver
from untrod.runtime.processes import TREE, in_tree

pytestmark = pytest.mark.timeout(600)  # a browser on a busy machine is slow, not broken
MOMENTS = 6  # at which each verb is killed


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


class Running:
    """A command on the application, with a folder of its own for temporary files."""

    def __init__(self, project, *words: str) -> None:
        self.token = secrets.token_hex(8)
        self.temporary = Path(tempfile.mkdtemp(prefix="u", dir="/tmp"))  # short: for the browser's socket
        self.process = subprocess.Popen(
            project.command(*words),
            cwd=project.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, TREE: self.token, "TMPDIR": str(self.temporary)},
        )

    @property
    def browsers(self) -> list[int]:
        return [pid for pid in in_tree(self.token) if b"--remote-debugging-pipe" in _command(pid)]

    def await_browser(self) -> None:
        while not self.browsers:
            assert self.process.poll() is None
            os.sched_yield()

    def gone(self) -> bool:
        """Everything that it has started; what it says is read, so that it can end."""
        deadline = time.monotonic() + 60
        while in_tree(self.token) and time.monotonic() < deadline:
            os.sched_yield()
        return not in_tree(self.token)

    def left(self) -> list[str]:
        """Temporary files, once the warden has had its time."""
        deadline = time.monotonic() + 60
        while (found := os.listdir(self.temporary)) and time.monotonic() < deadline:
            os.sched_yield()
        if not found:
            self.temporary.rmdir()
        return found


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


VERBS = {
    "gui": ("gui", "URL", "--spec", "F [text ~ nowhere]", "--json"),
    "explore": ("explore", "URL", "--steps", "1000", "--json"),
}
needs_proc = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks for processes in /proc")


def words(verb: str, url: str) -> list[str]:
    return [url if word == "URL" else word for word in VERBS[verb]]


@needs_proc
@pytest.mark.parametrize("verb", VERBS)
def test_no_browser_and_no_folder_outlives_untrod(notes, project, verb):
    """Killed at moments after its browser is there, each later than the one before."""
    for moment in range(MOMENTS):
        running = Running(project, *words(verb, notes[1]))
        running.await_browser()
        try:
            running.process.wait(0.3 * moment)
        except subprocess.TimeoutExpired:
            pass
        running.process.send_signal(signal.SIGKILL)
        running.process.communicate()
        assert running.gone()
        assert running.left() == []
        scratch = project.folder / ".untrod" / "scratch"
        assert list(scratch.iterdir()) == []


@needs_proc
def test_interrupted_it_tells_what_there_is_and_no_browser_is_left(notes, project):
    running = Running(project, *words("gui", notes[1]))
    with running.process as process:
        assert process.stdout is not None
        for line in process.stdout:
            if json.loads(line)["event"] == "progress":
                break
        assert running.browsers, "one is running"
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
    assert running.gone()
    assert running.left() == []
    last = json.loads(rest.splitlines()[-1])
    assert (last["event"], last["reason"]) == ("campaign-finished", "interrupted")
    assert process.returncode == 0


ADB = """#!/bin/sh
setsid sleep 600 &
touch started
"""


@needs_proc
def test_an_adb_server_that_was_started_for_us_ends_with_us(project, monkeypatch):
    pytest.importorskip("uiautomator2")
    adb = project.write("adb", ADB)
    adb.chmod(0o755)
    monkeypatch.setenv("ADBUTILS_ADB_PATH", str(adb))
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "1")  # nobody listens there
    running = Running(project, "gui", "com.demo", "--driver", "android")
    running.process.communicate()
    assert (running.process.returncode, (project.folder / "started").exists()) == (2, True)
    assert running.gone()


def test_an_application_that_dies_is_a_dead_page_and_then_one_clear_line(notes):
    process, url = notes
    driver = WebDriver(url)
    try:
        screen = driver.reset()
        (about,) = [action for action in driver.actions(screen) if action.detail == "About"]
        process.kill()
        process.wait()
        step = driver.step(about)
        assert step.outcome is StepOutcome.CRASHED
        assert [event.kind for event in step.screen.events] == ["dead-page"]
        with pytest.raises(
            UntrodError, match=r"cannot be reached: net::ERR_CONNECTION_REFUSED .*start the app"
        ):
            driver.reset()
    finally:
        driver.close()
    deadline = time.monotonic() + 30  # what was killed is a zombie until it is reaped
    while in_tree(os.environ[TREE].split(":")[-1]) and time.monotonic() < deadline:
        os.sched_yield()
    assert in_tree(os.environ[TREE].split(":")[-1]) == []
