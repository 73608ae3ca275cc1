"""Finds what a project has to test: by reading its source, for importing it may do anything.

Every engine says what it would do with a file: of the product with its functions, of the tests with the
properties that they state. Whatever cannot be worked with after all tells so when its turn comes, in a line.
"""

from __future__ import annotations

import ast
import os
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from untrod.core.errors import UntrodError
from untrod.core.reading import SOURCE, read_bytes
from untrod.core.text import PATH, count, one_line
from untrod.hunting.packaging import ASIDE, TOP_FILES
from untrod.hunting.product import product_of
from untrod.hunting.promise import promise
from untrod.plugins import SourceFile, Task, every_engine

_PASSED_OVER = {"node_modules", "build", "dist", "site-packages", "__pycache__", "docs", "doc"}
_NO_TESTS = ASIDE - {"test", "tests"}
"""Folders whose tests are not the project's."""
_TOLD = 5


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
    left: Counter[str] = Counter()
    engines = tuple(every_engine(lambda error: notices.append(error.message)))
    product, named = product_of(project), _posix(place.resolve(), project)

    def leave_out(path: str | Path, error: Exception) -> None:
        notices.append(f"{one_line(os.path.relpath(path, project), PATH)} is left out: {_reason(error)}")

    for path in _python_files(place.resolve(), (project / tests).resolve(), leave_out):
        name = _posix(path, project)
        is_test, is_product = _is_test(PurePosixPath(name)), product.has(name, named)
        if not is_product and (not is_test or _NO_TESTS & set(PurePosixPath(name).parts)):
            if "/" in name or path.stem not in TOP_FILES:
                left[name.partition("/")[0]] += 1
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about escapes in somebody's strings
                tree = ast.parse(read_bytes(path, SOURCE))
            source = SourceFile(os.path.relpath(path, project), tree, is_test, is_product)
            found = [task for engine in engines for task in engine.discover(source)]
            tasks += [replace(task, promise=promise(tree, task.lines)) for task in found]
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError) as error:
            leave_out(path, error)
    if left:
        notices.append(_left_out(left))
    return Discovered(tuple(tasks), tuple(notices))


def _left_out(left: Counter[str]) -> str:
    shown = ", ".join(one_line(name) for name, _ in left.most_common(_TOLD))
    more = f" and {len(left) - _TOLD} more" if len(left) > _TOLD else ""
    return (
        f"not what the project installs, left out unless named: {shown}{more} ({count(left.total(), 'file')})"
    )


def _posix(path: Path, project: Path) -> str:
    return Path(os.path.relpath(path, project.resolve())).as_posix()


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


def _is_test(path: PurePosixPath) -> bool:
    return (
        path.name.startswith("test_")
        or path.name.endswith("_test.py")
        or bool({"tests", "test"} & set(path.parts[:-1]))
    )
