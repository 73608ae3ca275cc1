"""What a project installs: its product, and not its tests, benchmarks, examples, documents and scripts.

Read from the files that build it (see `packaging`). Where none of them names packages, what the build tools
would find by themselves; where there is no such file at all, everything but folders of the usual names.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from untrod.core.reading import is_regular
from untrod.hunting.packaging import ASIDE, TOP_ASIDE, TOP_FILES, Packaging, packages_in


@dataclass(frozen=True, slots=True)
class Product:
    """`roots` are files and folders, relative to the project; None: everything that is not put aside."""

    roots: tuple[PurePosixPath, ...] | None

    def has(self, name: str, named: str = ".") -> bool:
        """Is this file a part of it? Below `named`, which a person has named: only what lies further down can
        speak against it."""
        path, asked = PurePosixPath(name), PurePosixPath(named)
        if self.roots is None:
            return not _is_aside(path, asked) and (asked != PurePosixPath(".") or not _is_top_aside(path))
        if not self._meets(asked):
            return not _is_aside(path, asked)
        roots = [root for root in self.roots if path.is_relative_to(root)]
        return any(not _is_aside(path, max(root, asked, key=lambda each: len(each.parts))) for root in roots)

    def _meets(self, asked: PurePosixPath) -> bool:
        return any(root.is_relative_to(asked) or asked.is_relative_to(root) for root in self.roots or ())


def product_of(project: Path) -> Product:
    told = Packaging(project)
    if not told.builds:
        return Product(None)
    found = [root for root in told.roots() if os.path.lexists(project / root)]
    found = found or [root for root in _by_themselves(project, told.name) if os.path.lexists(project / root)]
    return Product(tuple(dict.fromkeys(found)) or None)


def _is_aside(path: PurePosixPath, top: PurePosixPath) -> bool:
    below = path.relative_to(top) if path.is_relative_to(top) else path
    return bool(ASIDE & set(below.parts[:-1]))


def _is_top_aside(path: PurePosixPath) -> bool:
    if len(path.parts) == 1:
        return path.stem in TOP_FILES
    return path.parts[0] in TOP_ASIDE


def _by_themselves(project: Path, name: str) -> Iterator[PurePosixPath]:
    """`src`, or the packages and modules at the top that are not called like something else."""
    source = project / "src"
    if source.is_dir() and any(packages_in(source)):
        yield from (PurePosixPath("src") / each for each in packages_in(source))
        return
    own = [each for each in packages_in(project) if each.stem.lower() == name.lower()]
    yield from own or (each for each in packages_in(project) if not _is_top_aside(each / "x.py"))
    if not own:
        files = sorted(path.name for path in project.glob("*.py") if is_regular(path))
        yield from (PurePosixPath(file) for file in files if PurePosixPath(file).stem not in TOP_FILES)
