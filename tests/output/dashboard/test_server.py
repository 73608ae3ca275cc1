"""The dashboard's server: its end."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from untrod.output.dashboard import serve
from untrod.store import Store

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")


def test_an_interrupt_before_it_serves_is_not_lost(tmp_path: Path) -> None:
    Store.open(tmp_path / ".untrod").close()
    before = signal.getsignal(signal.SIGINT)

    serve(tmp_path / ".untrod", tmp_path, 0, lambda address: signal.raise_signal(signal.SIGINT))

    assert signal.getsignal(signal.SIGINT) is before
