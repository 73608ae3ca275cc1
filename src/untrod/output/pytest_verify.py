"""Runs a written test file in a process of its own: a test that does not replay is not emitted."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

from untrod.core.text import one_line
from untrod.output import native_trial

Taken = Mapping[str, frozenset[tuple[int, int]]]
_UNDER_COVERAGE = """
import json, sys
import coverage, pytest
class Order:
    def pytest_collection_modifyitems(self, items):
        if sys.argv[2] == "backwards":
            items.reverse()
files = json.loads(sys.argv[3])  # named, or coverage.py leaves out what is installed
watch = coverage.Coverage(data_file=sys.argv[1], branch=True, config_file=False, include=files)
watch.start()
status = pytest.main(sys.argv[4:], [Order()])
watch.stop()
watch.save()
sys.exit(status)
"""


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
    cwd: Path,
    timeout: float,
    hash_seed: int | None = None,
    measured: Collection[str] | None = None,
    backwards: bool = False,
) -> VerifyResult:
    """Run pytest on `path` alone, in `cwd`, for at most `timeout` seconds; leaves nothing behind.

    With `hash_seed`, strings have other hashes, and so sets another order. `measured` are source files for
    coverage.py to watch; then `backwards` begins with the last test. The project's conftest and plugins take
    part, its default options do not: they may ask for coverage thresholds or parallel runs that say nothing
    about this one file.
    """
    with tempfile.TemporaryDirectory(prefix="untrod-verify-") as scratch, tempfile.TemporaryFile() as output:
        report = Path(scratch) / "report.xml"
        data = str(Path(scratch) / "coverage")
        start = ["-m", "pytest"]
        if measured is not None:
            files = json.dumps([as_pattern(file) for file in measured])
            start = ["-c", _UNDER_COVERAGE, data, "backwards" if backwards else "", files]
        # Seen from `cwd`: to pytest, a bracket in the name of a folder above would be one of parameters.
        seen = os.path.relpath(path.resolve(), cwd.resolve())
        command = [python, *start, seen, f"--junitxml={report}", "-o", "addopts="]
        command += ["-q", "-p", "no:cacheprovider", f"--basetemp={scratch}/tmp", *_plugins(path)]
        own = Path(scratch) / "temporary"
        own.mkdir()
        status = _run(command, cwd, timeout, output, own, hash_seed)
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


def _plugins(path: Path) -> list[str]:
    with path.open(encoding="utf-8", errors="replace") as file:
        native = file.readline().startswith(native_trial.HEADER)
    return ["-p", native_trial.__name__] if native else []


def _run(
    command: list[str], cwd: Path, timeout: float, output: BinaryIO, temporary: Path, hash_seed: int | None
) -> int | None:
    """The exit status, or None after `timeout`: then the whole process group is gone."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTEST_ADDOPTS"}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    environment["TMPDIR"] = str(temporary)  # code under test may leave files there
    if hash_seed is not None:
        environment["PYTHONHASHSEED"] = str(hash_seed)
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        return process.wait(timeout)
    except subprocess.TimeoutExpired:
        return None
    finally:
        _end_group(process)


def _end_group(process: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)  # also what the tests started and left running
    except (ProcessLookupError, PermissionError):
        pass  # nobody is left
    process.wait()


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
