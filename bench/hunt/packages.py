"""Packages that people use, as projects to hunt in: the installed source, in a folder of its own."""

from __future__ import annotations

import importlib.util
import shutil
from dataclasses import dataclass
from pathlib import Path

PACKAGES = {"humanize": "humanize", "semver": "semver", "slugify": "python-slugify"}
"""Import name to the name on PyPI; `pip install --group bench-cover` has them."""


@dataclass(frozen=True, slots=True)
class Package:
    """A copy of a package in `project`."""

    name: str
    project: Path

    @property
    def modules(self) -> list[str]:
        """Dotted names of what has code: not of `__main__`, which a test cannot import."""
        files = sorted((self.project / self.name).rglob("*.py"))
        names = [".".join(file.relative_to(self.project).with_suffix("").parts) for file in files]
        return [name for name in names if not name.endswith(("__init__", "__main__"))]


def missing(name: str) -> str:
    """Why it cannot be hunted in here; empty when it can."""
    return "" if importlib.util.find_spec(name) else f"{PACKAGES[name]} is not installed"


def lay_out(name: str, project: Path) -> Package:
    found = importlib.util.find_spec(name)
    assert found is not None
    assert found.origin is not None
    source = Path(found.origin).parent
    shutil.copytree(source, project / name, ignore=shutil.ignore_patterns("__pycache__"))
    return Package(name, project)
