"""Functions that end, hang or burden their process for some inputs."""

from __future__ import annotations

import ctypes
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time

_KEPT: list[bytes] = []


def exits(code: int) -> int:
    if code % 7 == 3:
        sys.exit(code)
    if code % 11 == 5:
        os._exit(3)
    return code


def crashes(number: int) -> int:
    if number % 13 == 4:
        ctypes.string_at(0)
    return number


def hangs(number: int) -> int:
    while number % 17 == 6:
        time.sleep(0.01)
    return number


def hoards(number: int) -> int:
    if number % 5 == 2:
        _KEPT.append(bytes(5_000_000))
    return len(_KEPT)


def forks(number: int) -> int:
    if number % 3 == 1:
        child = os.fork()
        if child == 0:
            time.sleep(60)
            os._exit(0)
    return number


def spawns(number: int) -> int:
    if number % 3 == 2:
        subprocess.Popen(["sleep", "600"])
    return number


def connects(port: int) -> int:
    made = socket.socket()
    made.bind(("127.0.0.1", 0))
    made.listen()
    _KEPT.append(bytes(made.fileno()))
    return port


def litters(name: str) -> int:
    made = tempfile.NamedTemporaryFile(prefix="litter", delete=False)  # noqa: SIM115 - left open, and left
    made.write(name.encode("utf-8", "replace") * 1000)
    return len(name)


def starts_threads(count: int) -> int:
    for _ in range(count % 5):
        threading.Thread(target=time.sleep, args=(30,), daemon=True).start()
    return threading.active_count()


def shouts(words: list[str]) -> int:
    for word in words:
        print(word * 1000)
    return len(words)
