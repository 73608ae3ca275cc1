"""A pytest plugin for the project's own tests: which files were the product's modules imported from?"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

VARIABLE = "UNTROD_IMPORTED_FROM"
"""A file to write to, and names of modules, as JSON."""


def pytest_sessionfinish() -> None:
    target, names = json.loads(os.environ.get(VARIABLE) or '["", []]')
    files = {name: getattr(sys.modules.get(name), "__file__", None) for name in names}
    if target:
        Path(target).write_text(json.dumps({name: file for name, file in files.items() if file}))
