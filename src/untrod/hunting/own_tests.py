"""The project's own tests, run by pytest without us: which of them fail as they are.

They are code under test, so they are confined: they may write to our folder only, and fail where they start
processes or connect, unless the hunt was allowed to.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from untrod.core.reading import is_regular, read_bytes
from untrod.core.text import one_line
from untrod.hunting import own_tests_plugin
from untrod.output.pytest_verify import NOT_OURS
from untrod.runtime import launch, sandboxed
from untrod.runtime.removal import remove_tree
from untrod.runtime.sandboxed import Sandbox, command

_USAGE = 4  # pytest's exit status for options that it does not know
_MOST = 64_000_000
IN_TIME, GRACE = 0.8, 3.0
"""After this share of their seconds they are asked to end, so that what was measured is written; so many
seconds after it they are ended."""


@dataclass(frozen=True, slots=True)
class PytestRun:
    """`status` None: it did not end in time. `failing`: what pytest says of each test that fails, by node."""

    status: int | None
    failing: Mapping[str, str] = field(default_factory=dict)
    passed: frozenset[str] = frozenset()
    imported: Mapping[str, str] = field(default_factory=dict)
    """Where modules came from, by their names."""
    cut: bool = False
    """There was no time for all of them."""


class OwnTests:
    def __init__(
        self,
        project: Path,
        files: Iterable[str],
        *,
        allow: Sequence[str] = (),
        memory_mb: int = 0,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """`files` are the product's: the tests are to import these, not a copy that is installed."""
        self._project = project
        self._allow, self._memory_mb, self._stop = tuple(allow), memory_mb, stop
        self._places = dict.fromkeys(place for name in files if (place := _place_of(project, name)))
        self.modules = {module: str(project / file) for _, module, file in self._places}

    def run(
        self,
        folder: Path,
        words: Sequence[str],
        seconds: float,
        under: tuple[str, ...] = (),
        variables: Mapping[str, str] | None = None,
    ) -> PytestRun:
        """pytest with `words`; `under` is the module and the arguments that run it instead. Files go to
        `folder`."""
        plain = ["--rootdir", str(self._project), "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider"]
        # Both measure or share out the work themselves; options for them are then unknown.
        plain += ["-p", "no:xdist", "-p", "no:pytest_cov", "--continue-on-collection-errors", *NOT_OURS]
        report, origins = folder / "own-tests.xml", folder / "imported.json"
        plain += [f"--junitxml={report}", "-o", "junit_family=xunit1", "-p", own_tests_plugin.__name__]
        asked = json.dumps([str(origins), sorted(self.modules), time.time() + IN_TIME * seconds])
        told = {**(variables or {}), own_tests_plugin.VARIABLE: asked}
        for more in ((), ("-o", "addopts=")):
            report.unlink(missing_ok=True)
            status = self.python(
                folder, [*under, "pytest"][0], [*_rest(under), *plain, *more, *words], seconds + GRACE, told
            )
            if status != _USAGE:
                break
        failing, passed = _told_by(report)
        imported, cut = _session(origins)
        return PytestRun(status, failing, passed, imported, cut)

    def python(
        self,
        folder: Path,
        module: str,
        words: Sequence[str],
        seconds: float,
        variables: Mapping[str, str] | None = None,
    ) -> int | None:
        """The exit status of `python -m module`, in the project's folder: many tests read files of it."""
        environment = {**sandboxed.environment(str(folder)), **(variables or {})}
        environment.pop("COVERAGE_PROCESS_START", None)
        path = (*dict.fromkeys(root for root, _, _ in self._places), str(self._project))
        sandbox = Sandbox(str(folder), self._allow, path=path, memory_mb=self._memory_mb)
        process = launch.start(
            command(sys.executable, sandbox, module, words),
            cwd=self._project,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        return launch.wait(process, seconds, self._stop)


@contextmanager
def passing_folder() -> Iterator[Path]:
    """What the tests may write to; gone afterwards, also where we are killed."""
    folder = launch.temporary_folder("untrod-own-tests-")
    try:
        yield folder
    finally:
        remove_tree(folder)
        launch.keep_after_us(folder)


def _rest(under: tuple[str, ...]) -> list[str]:
    return [*under[1:], "-m", "pytest"] if under else []


def _place_of(project: Path, name: str) -> tuple[str, str, str] | None:
    """Where the module of a file is imported from, and as what; None where that hides standard modules."""
    path = project / name
    parts = [] if path.stem == "__init__" else [path.stem]
    folder = path.parent
    while is_regular(folder / "__init__.py"):
        parts.insert(0, folder.name)
        folder = folder.parent
    if folder != project and any(each.stem in sys.stdlib_module_names for each in folder.glob("*.py")):
        return None
    return (str(folder), ".".join(parts), name) if parts else None


def _told_by(report: Path) -> tuple[dict[str, str], frozenset[str]]:
    try:
        cases = list(ElementTree.fromstring(read_bytes(report, _MOST)).iter("testcase"))
    except (OSError, ElementTree.ParseError):
        return {}, frozenset()
    failing: dict[str, str] = {}
    passed = set()
    for case in cases:
        if not case.get("name"):
            continue  # the one that was running when all was asked to end
        problem = next((each for each in case if each.tag in ("failure", "error")), None)
        if problem is not None:
            said = f"{problem.get('message') or ''} {problem.text or ''}"
            failing.setdefault(_node(case), one_line(said, 2_000))
        else:
            passed.add(_node(case))
    return failing, frozenset(passed)


def _node(case: ElementTree.Element) -> str:
    """`tests/test_a.py::TestA::test_it[1]`, from its file, its class with that of the file, and its name."""
    file, owner, name = (case.get(key) or "" for key in ("file", "classname", "name"))
    module = file.removesuffix(".py").replace("/", ".")
    inner = owner.removeprefix(module).strip(".").split(".")
    return "::".join(filter(None, [file, *inner, name]))


def _session(path: Path) -> tuple[dict[str, str], bool]:
    """What the plugin has written."""
    try:
        found = json.loads(read_bytes(path, _MOST))
    except (OSError, ValueError):
        return {}, False
    if not isinstance(found, dict) or not isinstance(found.get("files"), dict):
        return {}, False
    files = {name: os.path.realpath(file) for name, file in found["files"].items() if isinstance(file, str)}
    return files, found.get(own_tests_plugin.CUT) is True
