"""A pytest plugin that is there while tests are tried out: they work in an empty folder.

pytest itself begins where the test file lies, so that it can be named from there.
"""

from __future__ import annotations

import os

HOME = "UNTROD_TRIAL_HOME"
"""The environment variable that names the folder."""


def pytest_sessionstart() -> None:
    os.chdir(os.environ[HOME])
