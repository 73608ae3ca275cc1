"""Finds what a project has to test: by reading its source, for importing it may do anything.

Every engine says what it would do with a file. Whatever cannot be worked with after all tells so when its
turn comes, in one line.
"""

from __future__ import annotations

import ast
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from untrod.core.errors import UntrodError
from untrod.core.reading import SOURCE, read_bytes
from untrod.core.text import PATH, one_line
from untrod.plugins import EnginePlugin, SourceFile, Task, every_engine

_PASSED_OVER = {"node_modules", "build", "dist", "site-packages", "__pycache__", "docs", "doc"}


@dataclass(frozen=True, slots=True)
class Discovered:
    tasks: tuple[Task, ...]
    notices: tuple[str, ...] = ()


def discover(place: Path, project: Path, tests: Path) -> Discovered:
    """The tasks under `place`, a file or a folder of `project`; `tests` is where a hunt leaves its own."""
    if not os.path.exists(place):
        raise UntrodError(f"there is no {place}", "name a file or a folder of the project")
    tasks: list[Task] = []
    notices: list[str] = []
    engines = tuple(every_engine(lambda error: notices.append(error.message)))

    def leave_out(path: str | Path, error: Exception) -> None:
        notices.append(f"{one_line(os.path.relpath(path, project), PATH)} is left out: {_reason(error)}")

    for path in _python_files(place.resolve(), (project / tests).resolve(), leave_out):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about escapes in somebody's strings
                tree = ast.parse(read_bytes(path, SOURCE))
            tasks += _tasks_in(os.path.relpath(path, project), tree, engines)
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError) as error:
            leave_out(path, error)
    return Discovered(tuple(tasks), tuple(notices))


def _reason(error: Exception) -> str:
    if isinstance(error, SyntaxError):
        return one_line(f"{error.msg}, line {error.lineno}" if error.lineno else error.msg)
    if isinstance(error, OSError):
        return error.strerror or type(error).__name__
    return one_line(f"{type(error).__name__}: {error}")


def _python_files(place: Path, own: Path, leave_out: Callable[[str, OSError], None]) -> Iterator[Path]:
    if not place.is_dir():
        yield place
        return
    for folder, inner, files in os.walk(place, onerror=lambda error: leave_out(error.filename, error)):
        inner[:] = sorted(name for name in inner if _worth_entering(Path(folder) / name, own))
        yield from (Path(folder) / name for name in sorted(files) if name.endswith(".py"))


def _worth_entering(folder: Path, own: Path) -> bool:
    return not (
        folder.name.startswith(".")
        or folder.name in _PASSED_OVER
        or folder.name.endswith(".egg-info")
        or folder == own
        or os.path.exists(folder / "pyvenv.cfg")
    )


def _tasks_in(name: str, tree: ast.Module, engines: Sequence[EnginePlugin]) -> Iterator[Task]:
    source = SourceFile(name, tree, _is_test(Path(name)))
    for engine in engines:
        yield from engine.discover(source)


def _is_test(path: Path) -> bool:
    return path.name.startswith("test_") or path.name.endswith("_test.py") or "tests" in path.parts[:-1]
