"""A pytest plugin for the project's own tests: where the product's modules are imported from, an end in time.

A run that is killed has counted nothing; one that ends between two tests tells how far it came.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

VARIABLE = "UNTROD_OWN_TESTS"
"""As JSON: a file to write to, names of modules, and for how many seconds to run."""
CUT = "cut"
"""The key that says whether the time was over before the tests were."""
_state: dict[str, Any] = {"started": time.monotonic(), "until": float("inf"), "session": None, CUT: False}


def pytest_sessionstart() -> None:
    _state["until"] = _state["started"] + _told()[2]


def pytest_runtest_protocol(item: Any, nextitem: Any) -> None:
    _state["session"] = None if nextitem is None else item.session


def pytest_runtest_logfinish() -> None:
    if time.monotonic() >= _state["until"] and _state["session"] is not None:
        _state["session"].shouldstop = "untrod has no more time for them"
        _state[CUT] = True


def pytest_sessionfinish() -> None:
    target, names, _ = _told()
    files = {name: getattr(sys.modules.get(name), "__file__", None) for name in names}
    if target:
        told = {"files": {name: file for name, file in files.items() if file}, CUT: _state[CUT]}
        Path(target).write_text(json.dumps(told))


def _told() -> tuple[str, list[str], float]:
    target, names, seconds = json.loads(os.environ.get(VARIABLE) or '["", [], 1e9]')
    return target, names, seconds
