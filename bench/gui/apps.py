"""Applications to be driven, each in a process of its own, on the loopback interface."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@contextmanager
def notes() -> Iterator[str]:
    """The address of `examples/notes_app.py`, running."""
    command = [sys.executable, str(EXAMPLES / "notes_app.py"), "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()
