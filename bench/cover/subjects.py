"""The modules whose branches are covered: six of textbooks, eight that people use, and four held out.

What drawing lacked was looked for in the first fourteen. Nobody looked at the last four before they were
measured, and nothing was changed for them: they tell what the others can't.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "cover"


@dataclass(frozen=True, slots=True)
class Subject:
    """`package` is what has to be installed; `large`: among those with the largest frontiers; `held_out`:
    only what people would use is compared there, not searchers and prunings."""

    module: str
    package: str = ""
    large: bool = False
    held_out: bool = False

    @property
    def root(self) -> Path | None:
        """What must be on `sys.path`; None for what is installed."""
        return None if self.package else EXAMPLES

    @property
    def file(self) -> Path:
        if self.root is not None:
            return self.root / f"{self.module}.py"
        found = importlib.util.find_spec(self.module)
        assert found is not None
        assert found.origin is not None
        return Path(found.origin)

    def missing(self) -> str:
        """Why it cannot run here; empty when it can."""
        if not self.package or importlib.util.find_spec(self.module.partition(".")[0]):
            return ""
        return f"{self.package} is not installed"


SUBJECTS: dict[str, Subject] = {
    "triangle": Subject("triangle"),
    "dates": Subject("dates"),
    "tokens": Subject("tokens"),
    "bank": Subject("bank"),
    "calc": Subject("calc", large=True),
    "redblack": Subject("redblack"),
    "roman": Subject("roman", "roman"),
    "semver": Subject("semver.version", "semver"),
    "slugify": Subject("slugify.slugify", "python-slugify"),
    "humanize": Subject("humanize.number", "humanize"),
    "version": Subject("packaging.version", "packaging"),
    "sortedlist": Subject("sortedcontainers.sortedlist", "sortedcontainers", large=True),
    "edit-distance": Subject("textdistance.algorithms.edit_based", "textdistance"),
    "toml": Subject("tomllib._parser", "tomllib", large=True),
    "inflection": Subject("inflection", "inflection", held_out=True),
    "webcolors": Subject("webcolors._conversion", "webcolors", held_out=True),
    "parse": Subject("parse", "parse", held_out=True),
    "strutils": Subject("boltons.strutils", "boltons", held_out=True),
}
