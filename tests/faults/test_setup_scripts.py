"""A setup script may log in, and no more: it is locked in wherever it runs, also in the written test."""

from __future__ import annotations

import hashlib
import http.server
import socket
import threading
from pathlib import Path

import pytest

from untrod.core.errors import UntrodError
from untrod.drivers.web.chromium import find_chromium
from untrod.runtime import landlock

pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.skipif(landlock.abi() < 6, reason="this kernel has no Landlock, or an old one"),
]
ATTEMPTS = """
import os, shutil, signal, socket, subprocess, sys, urllib.request
PROJECT, PORT, APP = {project!r}, {port}, {app!r}
CONNECT = f"import socket; socket.create_connection(('127.0.0.1', {{PORT}}), 2)"

def attempt(*deeds):
    for deed in deeds:
        try:
            deed()
        except Exception:
            pass  # swallowed, as many a script does

def everything():
    if {when!r} == "try-out" and "pytest" not in sys.modules:
        return
    precious = PROJECT + "/precious.txt"
    attempt(
        lambda: os.remove(precious),
        lambda: open(precious, "w").write("gone"),
        lambda: os.open("precious.txt", os.O_WRONLY | os.O_TRUNC, dir_fd=os.open(PROJECT, os.O_RDONLY)),
        lambda: shutil.rmtree(PROJECT + "/data"),
        lambda: os.mkdir(PROJECT + "/made"),
        lambda: subprocess.run(["rm", "-rf", precious, PROJECT + "/data"]),
        lambda: subprocess.run([sys.executable, "-c", f"open({{precious!r}}, 'w')"]),
        lambda: os.kill(os.getppid(), signal.SIGKILL),
        lambda: subprocess.run(["sh", "-c", "kill -9 " + str(os.getppid())]),
        lambda: socket.create_connection(("127.0.0.1", PORT), 2).send(b"told"),
        lambda: subprocess.run([sys.executable, "-c", CONNECT]),
    )

everything()

def login(page):
    everything()
    assert urllib.request.urlopen(APP).status == 200  # the application itself may be asked
    page.get_by_label("User").fill("ann")
    page.get_by_role("button", name="Log in").click()

def reset():
    everything()

restore = reset
"""
HERE = """<title>app</title><h1>{word} {user}</h1><form action=/login><label>User <input name=user></label>
<button>Log in</button></form><a href=/more>More</a>"""


class App(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        self.send_response(302 if path == "/login" else 200)
        if path == "/login":
            self.send_header("Set-Cookie", query)
            self.send_header("Location", "/")
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        user = self.headers.get("Cookie", "user=nobody").removeprefix("user=")
        self.wfile.write(HERE.format(word="more for" if path == "/more" else "hello", user=user).encode())

    def log_message(self, format: str, *args: object) -> None: ...


@pytest.fixture
def app():
    try:
        find_chromium()
    except UntrodError as error:
        pytest.skip(str(error))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), App)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def stranger():
    """Another server of this machine, which nobody has allowed."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        yield listener


def fingerprint(folder: Path) -> dict[str, str]:
    """Of all files but those that untrod itself writes."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not name.startswith((".untrod/", "tests/untrod/")):
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def prepared(project, stranger, app: str, when: str = "always") -> dict[str, str]:
    project.write("precious.txt", "kept")
    project.write("data/more.txt", "kept")
    port = stranger.getsockname()[1]
    project.write("my_setup.py", ATTEMPTS.format(project=str(project.folder), port=port, app=app, when=when))
    return fingerprint(project.folder)


def nobody_asked(listener: socket.socket) -> bool:
    try:
        listener.accept()
    except BlockingIOError:
        return True
    return False


GUI = ("--spec", 'F [text ~ "more for ann"]', "--steps", 2, "--budget", "60s")


def test_of_gui_in_the_search_and_in_replays(project, app, stranger) -> None:
    before = prepared(project, stranger, app)
    result = project.untrod("gui", app, *GUI, "--setup", "my_setup.py", timeout=500)
    assert (result.status, fingerprint(project.folder)) == (1, before), result.err
    assert "allow it with --allow write" in result.out  # swallowed, and told all the same
    assert "where nobody refuses it, it would do harm" in result.out
    assert not (project.folder / "tests").exists()
    replayed = project.untrod("replay", result.out.partition("untrod replay ")[2].split()[0])
    assert (replayed.status, fingerprint(project.folder)) == (1, before), replayed.err
    assert nobody_asked(stranger)


def test_of_gui_when_the_written_test_is_tried_out(project, app, stranger) -> None:
    before = prepared(project, stranger, app, when="try-out")
    result = project.untrod("gui", app, *GUI, "--setup", "my_setup.py", timeout=500)
    assert (result.status, fingerprint(project.folder)) == (1, before), result.err
    (path,) = (project.folder / "tests" / "untrod").glob("test_*.py")
    assert "    login(page)\n" in path.read_text()
    assert nobody_asked(stranger)


def test_of_explore(project, app, stranger) -> None:
    before = prepared(project, stranger, app)
    result = project.untrod("explore", app, "--setup", "my_setup.py", "--steps", 5, "--json")
    assert (result.status, fingerprint(project.folder)) == (0, before), result.err
    graph = result.events[-1]["extra"]["files"]["its screen graph"]
    assert "hello ann" in (project.folder / ".untrod" / graph).read_text()
    assert any("allow it with --allow write" in notice["text"] for notice in result.of("notice"))
    assert nobody_asked(stranger)


RESTORE = """
import shutil
def restore():
    shutil.copy({folder!r} + "/clean", {folder!r} + "/base")
"""


def test_what_is_allowed_it_may_do(project, app) -> None:
    project.write("my_setup.py", RESTORE.format(folder=str(project.folder)))
    project.write("clean", "clean")
    base = project.write("base", "dirty")
    explore = ("explore", app, "--setup", "my_setup.py", "--steps", 2)
    refused = project.untrod(*explore)
    assert (refused.status, base.read_text()) == (2, "dirty")
    assert "restore of the setup script raises Refused" in refused.err
    assert "allow it with --allow write" in refused.err
    allowed = project.untrod(*explore, "--allow", "write")
    assert (allowed.status, base.read_text()) == (0, "clean"), allowed.err
