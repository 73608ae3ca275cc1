"""Runs a written test file in a confined process of its own: a test that does not replay is not emitted."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

from untrod.core.text import one_line
from untrod.output import trial_home, under_coverage
from untrod.plugins import ENGINES, EnginePlugin
from untrod.runtime import launch, sandboxed
from untrod.runtime.processes import STAGE
from untrod.runtime.removal import remove_tree
from untrod.runtime.sandboxed import Sandbox, command

Taken = Mapping[str, frozenset[tuple[int, int]]]


class TestOutcome(StrEnum):
    __test__ = False  # not a pytest class

    PASSED = "passed"
    EXPECTED_FAILURE = "expected failure"
    SKIPPED = "skipped"
    FAILED = "failed"
    ERROR = "error"  # not the test itself: its collection, its fixtures


@dataclass(frozen=True, slots=True)
class TestResult:
    __test__ = False  # not a pytest class

    name: str
    outcome: TestOutcome
    message: str = ""

    @property
    def replays(self) -> bool:
        return self.outcome in (TestOutcome.PASSED, TestOutcome.EXPECTED_FAILURE)


@dataclass(frozen=True, slots=True)
class VerifyResult:
    """What pytest said. `error` tells why there is no verdict: it hung, died, or is not installed.

    `taken` is what coverage.py has seen, where it was asked: which line came after which, by file.
    """

    tests: tuple[TestResult, ...] = ()
    error: str = ""
    taken: Taken | None = None

    @property
    def ok(self) -> bool:
        """Every test did what its source says it does today."""
        return not self.error and bool(self.tests) and all(test.replays for test in self.tests)


def verify(
    path: Path,
    *,
    python: str = sys.executable,
    project: Path,
    timeout: float,
    allow: frozenset[str] = frozenset(),
    memory_mb: int = 0,
    hash_seed: int | None = None,
    measured: Collection[str] | None = None,
    backwards: bool = False,
    stop: Callable[[], bool] = lambda: False,
) -> VerifyResult:
    """Run pytest on `path` alone, for at most `timeout` seconds or until `stop`; leaves nothing behind.

    It runs the code under test, so it is locked in as a worker is, in a folder of its own, with what `allow`
    names. With `hash_seed`, strings have other hashes, and so sets another order; and the arguments of
    pytest, the time zone, the locale and the width of the terminal are others. `measured` are source files
    for coverage.py to watch; then `backwards` begins with the last test. The project's conftest and plugins
    take part, its default options do not: they may ask for coverage thresholds or parallel runs that say
    nothing about this one file.
    """
    with _folder() as scratch, tempfile.TemporaryFile() as output:
        plugin, target = _header_of(path)
        report, data = scratch / "report.xml", str(scratch / "coverage")
        # The file is named from its own folder: a bracket in the name of one above would mean parameters.
        words = [f"./{path.name}", f"--junitxml={report}", f"--basetemp={scratch}/tmp"]
        words += ["-o", "addopts=", _loudness(hash_seed), "-p", "no:cacheprovider"]
        words += ["-p", trial_home.__name__]
        words += ["-p", plugin.tryout_plugin] if plugin is not None and plugin.tryout_plugin else []
        module = "pytest"
        if measured is not None:
            module, order = under_coverage.__name__, "backwards" if backwards else "forwards"
            words = [data, order, json.dumps([as_pattern(file) for file in measured]), *words]
        home = scratch / "home"
        home.mkdir()
        (scratch / "temporary").mkdir()
        (scratch / "stage").mkdir()
        sandbox = Sandbox(
            scratch=str(scratch),
            allow=tuple(sorted(allow | (plugin.permissions(target) if plugin is not None else frozenset()))),
            path=(str(project),),
            memory_mb=memory_mb,
        )
        process = launch.start(
            command(python, sandbox, module, words),
            cwd=path.parent,
            env={**_environment(scratch, hash_seed), trial_home.HOME: str(home)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        status = launch.wait(process, timeout, stop)
        if status is None:
            return VerifyResult(error=f"the tests did not end within {timeout:g} seconds")
        try:
            tests = tuple(map(_result, ElementTree.parse(report).iter("testcase")))
            return VerifyResult(tests, taken=None if measured is None else _taken(data, measured))
        except (OSError, ElementTree.ParseError):
            return VerifyResult(error=f"pytest ended with status {status}: {_last_line(output)}")


def as_pattern(file: str) -> str:
    """For coverage.py, to which some characters mean others: those may be any."""
    return re.sub(r"[^\w./-]", "?", file.replace("\\", "/"))


@contextmanager
def _folder() -> Iterator[Path]:
    """Removed also where the tests took away their own permissions, or untrod is killed."""
    folder = launch.temporary_folder("untrod-verify-")
    folder.chmod(0o755)  # programs in C are run as nobody
    try:
        yield folder
    finally:
        remove_tree(folder)
        launch.keep_after_us(folder)


_HEADER = re.compile(r"# Found by untrod \((\w+)\) in (\S+)")


def _header_of(path: Path) -> tuple[EnginePlugin | None, str]:
    """Which engine has written the test, for which target; None when that was not untrod."""
    with path.open(encoding="utf-8", errors="replace") as file:
        found = _HEADER.match(file.readline(1000))
    if not found or found[1] not in ENGINES:
        return None, ""
    return ENGINES.find(found[1]), found[2].rstrip(".")


def _environment(scratch: Path, hash_seed: int | None) -> dict[str, str]:
    variables = sandboxed.environment(str(scratch / "temporary"))  # code under test may leave files there
    variables[STAGE] = str(scratch / "stage")
    variables.pop("PYTEST_ADDOPTS", None)
    if hash_seed is not None:
        variables["PYTHONHASHSEED"] = str(hash_seed)
        variables |= _SURROUNDINGS[hash_seed % len(_SURROUNDINGS)]
    return variables


_SURROUNDINGS: tuple[dict[str, str], ...] = (
    {"TZ": "Asia/Kolkata", "COLUMNS": "41", "LINES": "13"},
    {},
    {"TZ": "America/St_Johns", "COLUMNS": "203", "LC_ALL": "C"},
)
"""What no test may depend on. The first run has those of the user."""


def _loudness(hash_seed: int | None) -> str:
    """For pytest: code under test that reads `sys.argv` reads this."""
    return "-v" if hash_seed is not None and hash_seed % 2 == 0 else "-q"


def _result(case: ElementTree.Element) -> TestResult:
    name = case.get("name", "")
    for tag, outcome in (("error", TestOutcome.ERROR), ("failure", TestOutcome.FAILED)):
        problem = case.find(tag)
        if problem is not None:
            return TestResult(name, outcome, one_line(problem.get("message", "")))
    skipped = case.find("skipped")
    if skipped is None:
        return TestResult(name, TestOutcome.PASSED)
    expected = skipped.get("type") == "pytest.xfail"
    outcome = TestOutcome.EXPECTED_FAILURE if expected else TestOutcome.SKIPPED
    return TestResult(name, outcome, one_line(skipped.get("message", "")))


def _taken(path: str, files: Collection[str]) -> Taken | None:
    from coverage import CoverageData
    from coverage.exceptions import CoverageException

    if any("\ud800" <= char <= "\udfff" for file in files for char in file):
        return None  # coverage.py passes over files whose names are not text
    data = CoverageData(path)
    try:
        data.read()
    except (CoverageException, OSError):
        return None
    seen = {os.path.realpath(file): file for file in data.measured_files()}
    return {file: frozenset(data.arcs(seen.get(os.path.realpath(file), "")) or ()) for file in files}


def _last_line(output: BinaryIO) -> str:
    output.seek(0, os.SEEK_END)
    output.seek(max(0, output.tell() - 4000))
    lines = output.read().decode("utf-8", "replace").strip().splitlines()
    return one_line(lines[-1]) if lines else "it said nothing"
