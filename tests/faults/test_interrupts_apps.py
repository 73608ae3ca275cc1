"""Ctrl-C while an application is driven: soon there is a report or the one line, and nothing is left behind.

A setup script tells where it is, by opening a named pipe for reading: that returns when the test opens its
other end. So does what stands in for Chromium, and the server knows when a page that hangs was asked for.
"""

from __future__ import annotations

import http.server
import os
import sys
import threading

import pytest
from test_interrupts import PROMISED, Meeting, leftovers, sluggishness

from untrod.core.errors import UntrodError
from untrod.drivers.web.chromium import find_chromium

pytestmark = pytest.mark.timeout(600)  # a browser on a busy machine is slow, not broken
SETUP = """
import os, sys
HERE, PHASE = {here!r}, {phase!r}
calls = 0

def meet(name):
    with open(os.path.join(HERE, name)) as pipe:
        pipe.read()

if PHASE == "import":
    meet("import")
if PHASE == "try-out" and "pytest" in sys.modules:
    meet("try-out")

def login(page):
    if PHASE == "login":
        meet("login")

def restore():
    global calls
    calls += 1
    if PHASE in ("search", "delivery") and calls == 5:
        meet("search")
    if os.path.exists(HERE + "/deliver") and calls < 4:
        meet("delivery")
"""
PIPES = ("import", "login", "search", "delivery", "try-out", "start")
START = """#!{python}
with open({pipe!r}) as pipe:
    pipe.read()
"""
PAGES = {
    "/": "<h1>app</h1><a href=/more>More</a><a href=/other>Other</a>",
    "/more": "<h1>more</h1><a href=/>Back</a>",
    "/other": "<h1>other</h1><a href=/deep>Deep</a>",
    "/deep": "<h1>deep</h1>",
}
SPECS = {"search": "F [text ~ nowhere]", "delivery": "F [text ~ deep]", "try-out": "F [text ~ more]"}


class App(http.server.BaseHTTPRequestHandler):
    hanging = threading.Event()
    hangs = False

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        if self.hangs and self.path == "/more":
            self.wfile.write(b"<h1>here</h1><script>setTimeout(() => { while (true); })</script>")
            self.hanging.set()
        else:
            self.wfile.write(PAGES.get(self.path, "").encode())

    def log_message(self, format: str, *args: object) -> None: ...


@pytest.fixture
def app():
    try:
        find_chromium()
    except UntrodError as error:
        pytest.skip(str(error))
    App.hanging.clear()
    App.hangs = False
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), App)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


class Drive(Meeting):
    """A verb on the application, in the phase that is meant."""

    def __init__(self, project, verb: str, phase: str, app: str, monkeypatch) -> None:
        project.write("my_setup.py", SETUP.format(here=str(project.folder), phase=phase))
        if phase == "start":
            fake = project.write(
                "chromium", START.format(python=sys.executable, pipe=str(project.folder / phase))
            )
            fake.chmod(0o755)
            monkeypatch.setenv("UNTROD_CHROMIUM", str(fake))
        App.hangs = phase == "hang"
        words = [verb, app, *(() if phase == "start" else ("--setup", "my_setup.py"))]
        if verb == "gui":
            words += ["--spec", SPECS.get(phase, SPECS["search"]), "--steps", "2", "--budget", "60"]
        else:
            words += ["--walker", "random", "--steps", "1000"]
        super().__init__(project, phase, words, PIPES)

    def reach(self, phase: str) -> int:
        if phase == "hang":
            assert App.hanging.wait(60)
            return -1
        return super().reach(phase)


@pytest.mark.parametrize("phase", ["import", "start", "login", "search", "hang", "delivery", "try-out"])
@pytest.mark.parametrize("verb", ["gui", "explore"])
def test_once(project, app, monkeypatch, verb: str, phase: str) -> None:
    if verb == "explore" and phase in ("delivery", "try-out"):
        pytest.skip("nothing goes wrong in this application: there is no test to deliver")
    slow = sluggishness()
    drive = Drive(project, verb, phase, app, monkeypatch)
    held = drive.reach(phase)
    drive.interrupt()
    took, out, err = drive.end()
    if held >= 0:
        os.close(held)
    slow += sluggishness()
    assert "Traceback" not in err
    assert "report: " in out or "interrupted" in out or err.strip().splitlines()[-1].startswith("untrod: ")
    assert took < PROMISED + slow, err
    assert drive.left_running() == []
    assert leftovers(project.folder) == []


@pytest.mark.parametrize("phase", ["start", "hang", "try-out"])
def test_twice_is_at_once(project, app, monkeypatch, phase: str) -> None:
    drive = Drive(project, "gui", phase, app, monkeypatch)
    held = drive.reach(phase)
    drive.interrupt()
    drive.interrupt()
    _, _, err = drive.end()
    if held >= 0:
        os.close(held)
    assert "Traceback" not in err
    assert drive.left_running() == []
    assert leftovers(project.folder) == []
