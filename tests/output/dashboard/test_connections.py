"""Whoever opens connections and says nothing does not keep out the person whose dashboard it is."""

from __future__ import annotations

import json
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import parse_qs, urlsplit

import pytest

from untrod.store import Store

pytest.importorskip("starlette")
connections = pytest.importorskip("untrod.output.dashboard.gate")
SLOW = 300


class Dashboard:
    def __init__(self, project) -> None:
        Store.open(project.folder / ".untrod").close()
        self.process = subprocess.Popen(
            project.command("dashboard", "--json"), cwd=project.folder, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        address = urlsplit(json.loads(self.process.stdout.readline())["address"])
        self.port = address.port or 0
        self.token = parse_qs(address.query)["token"][0]

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), 30)

    def ask(self, token: str) -> bytes:
        """The whole answer, if the server hangs up after it; else what comes at once."""
        with self.connect() as opened:
            head = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAuthorization: Bearer {token}\r\n\r\n"
            opened.sendall(head.encode())
            return opened.recv(65536)

    def close(self) -> None:
        self.process.terminate()
        self.process.communicate()


@pytest.fixture
def dashboard(project) -> Iterator[Dashboard]:
    served = Dashboard(project)
    yield served
    served.close()


@pytest.mark.parametrize("said", [b"", b"G", b"GET / HTTP/1.1\r\nHost: x\r\nX: "])
def test_the_owner_is_let_in(dashboard: Dashboard, said: bytes) -> None:
    with ExitStack() as held:
        for _ in range(SLOW):
            opened = held.enter_context(dashboard.connect())
            opened.sendall(said)
        assert dashboard.ask(dashboard.token).startswith(b"HTTP/1.1 200 ")


def test_one_that_never_asks_is_hung_up_on(dashboard: Dashboard) -> None:
    with dashboard.connect() as opened:
        opened.sendall(b"GET /")
        opened.settimeout(60)
        with pytest.raises(ConnectionResetError):
            raise ConnectionResetError if opened.recv(1) == b"" else AssertionError


def test_who_is_refused_is_hung_up_on(dashboard: Dashboard) -> None:
    answer = dashboard.ask("wrong")
    assert answer.startswith(b"HTTP/1.1 401 ")
    assert b"\r\nconnection: close\r\n" in answer.lower()
    assert b"\r\nconnection: close\r\n" not in dashboard.ask(dashboard.token).lower()
