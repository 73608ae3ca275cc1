"""`untrod dashboard` as a process, and what is asked of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPResponse
from pathlib import Path
from urllib.parse import quote


@dataclass(frozen=True)
class Served:
    address: str  # token included
    process: int
    started: float  # by `time.perf_counter`, just before the command

    def ask(self, path: str) -> HTTPResponse:
        base, _, token = self.address.partition("?token=")
        headers = {"Authorization": f"Bearer {token}"}
        asked = urllib.request.Request(base + path.removeprefix("/"), headers=headers)
        opened = urllib.request.build_opener(urllib.request.ProxyHandler({})).open(asked)
        assert isinstance(opened, HTTPResponse)
        return opened

    def page(self, path: str) -> float:
        """Seconds until the whole page is here."""
        before = time.perf_counter()
        with self.ask(path) as answer:
            answer.read()
        return time.perf_counter() - before

    def live(self, path: str) -> Iterator[str]:
        """The messages of a page, as they come."""
        with self.ask(f"/live?of={quote(path)}") as answer:
            for line in answer:
                if line.startswith(b"data: "):
                    yield line.decode()

    @property
    def memory(self) -> float:
        """MB that are resident."""
        pages = int(Path(f"/proc/{self.process}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextmanager
def served(project: Path) -> Iterator[Served]:
    started = time.perf_counter()
    command = [sys.executable, "-m", "untrod", "dashboard", "--json"]
    with subprocess.Popen(command, cwd=project, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield Served(json.loads(process.stdout.readline())["address"], process.pid, started)
        finally:
            process.send_signal(signal.SIGINT)
