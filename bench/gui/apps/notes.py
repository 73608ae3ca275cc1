"""The example with planted faults: `examples/notes_app.py`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from bench.gui.apps.base import ROOT


@contextmanager
def notes() -> Iterator[str]:
    """Its address, while it runs in a process of its own on the loopback interface."""
    command = [sys.executable, str(ROOT / "examples" / "notes_app.py"), "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()
