"""A pytest plugin for the project's own tests: where the product's modules are imported from, an end in time.

A run that is killed has counted nothing; one that is asked to end tells how far it came.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path

import pytest

VARIABLE = "UNTROD_OWN_TESTS"
"""As JSON: a file to write to, names of modules, and the time at which to end."""
CUT = "cut"
"""The key that says whether the time was over before the tests were."""
_state = {CUT: False}


def pytest_sessionstart() -> None:
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, _end)
        signal.setitimer(signal.ITIMER_REAL, max(0.001, _told()[2] - time.time()))


def _end(number: int, frame: object) -> None:
    _state[CUT] = True
    pytest.exit("untrod has no more time for them", returncode=pytest.ExitCode.INTERRUPTED)


def pytest_sessionfinish() -> None:
    target, names, _ = _told()
    files = {name: getattr(sys.modules.get(name), "__file__", None) for name in names}
    if target:
        told = {"files": {name: file for name, file in files.items() if file}, CUT: _state[CUT]}
        Path(target).write_text(json.dumps(told))


def _told() -> tuple[str, list[str], float]:
    target, names, until = json.loads(os.environ.get(VARIABLE) or '["", [], 1e12]')
    return target, names, until
