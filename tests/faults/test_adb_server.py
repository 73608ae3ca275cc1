"""An adb server that untrod had to start ends with untrod."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import time
from pathlib import Path

import pytest

from untrod.runtime.processes import TREE, in_tree


def test_nothing_is_left_where_there_is_no_device(project, monkeypatch) -> None:
    adbutils = pytest.importorskip("adbutils")
    if shutil.which("adb") is None and not Path(adbutils.adb_path()).is_file():
        pytest.skip("there is no adb")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    token = secrets.token_hex(8)
    monkeypatch.setenv(TREE, token)
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(port))
    words = ("gui", "com.example.app", "--driver", "android", "--spec", 'F [text = "x"]', "--budget", "3s")
    result = project.untrod(*words)
    assert result.status == 2
    assert "no Android device is connected" in result.err
    deadline = time.monotonic() + 30
    while in_tree(token) and time.monotonic() < deadline:
        os.sched_yield()
    assert in_tree(token) == []
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0
