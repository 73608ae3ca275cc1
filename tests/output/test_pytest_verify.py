"""What pytest says about a written file, told per test; and what happens when pytest cannot say anything."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from untrod.output.pytest_verify import TestOutcome, VerifyResult, verify
from untrod.runtime.limits import PERMISSIONS


def verdict(folder: Path, source: str, timeout: float = 60, allow: Iterable[str] = ()) -> VerifyResult:
    path = folder / "test_subject.py"
    path.write_text(source)
    return verify(path, project=folder, timeout=timeout, allow=frozenset(allow))


def test_each_outcome_is_told_apart(tmp_path: Path) -> None:
    result = verdict(
        tmp_path,
        """
import pytest

@pytest.fixture
def broken():
    raise OSError("no fixture")

def test_passed(): pass
def test_failed(): assert 1 == 2
def test_error(broken): pass
@pytest.mark.skip
def test_skipped(): pass
@pytest.mark.xfail(strict=True, raises=AssertionError, reason="known")
def test_expected(): assert False
@pytest.mark.xfail(strict=True, raises=AssertionError, reason="known")
def test_fixed(): pass
@pytest.mark.xfail(strict=True, raises=AssertionError, reason="known")
def test_fails_otherwise(): raise KeyError
@pytest.mark.parametrize("x", [1, 2])
def test_each(x): pass
""",
    )
    assert {test.name: str(test.outcome) for test in result.tests} == {
        "test_passed": "passed",
        "test_failed": "failed",
        "test_error": "error",
        "test_skipped": "skipped",
        "test_expected": "expected failure",
        "test_fixed": "failed",
        "test_fails_otherwise": "failed",
        "test_each[1]": "passed",
        "test_each[2]": "passed",
    }
    assert not result.ok


def test_a_file_without_tests_proves_nothing(tmp_path: Path) -> None:
    assert not verdict(tmp_path, "x = 1\n").ok


def test_a_file_that_cannot_be_imported_is_an_error(tmp_path: Path) -> None:
    result = verdict(tmp_path, "import not_there\n")
    assert [test.outcome for test in result.tests] == [TestOutcome.ERROR]


def test_a_hanging_test_is_ended_with_all_it_started(tmp_path: Path) -> None:
    fifo = tmp_path / "alive"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    result = verdict(
        tmp_path,
        f"""
import subprocess, sys
def test_hangs():
    end = open({str(fifo)!r}, "w")
    subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"], pass_fds=[end.fileno()]).wait()
""",
        timeout=4,
        allow=PERMISSIONS,
    )
    assert "did not end within 4 seconds" in result.error
    os.set_blocking(reader, True)
    assert os.read(reader, 1) == b""  # end of file: no process holds the other end any more
    os.close(reader)


def test_a_test_that_takes_pytest_down_is_reported(tmp_path: Path) -> None:
    result = verdict(tmp_path, "import os\ndef test_dies(): os._exit(7)\n")
    assert result.error.startswith("pytest ended with status 7")


def test_an_interpreter_without_pytest_is_named(tmp_path: Path) -> None:
    (tmp_path / "test_x.py").write_text("def test_x(): pass\n")
    (tmp_path / "pytest.py").write_text("raise ModuleNotFoundError('No module named pytest')")
    result = verify(tmp_path / "test_x.py", project=tmp_path, timeout=60)
    assert "No module named pytest" in result.error


def test_the_projects_default_options_do_not_decide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n")
    monkeypatch.setenv("PYTEST_ADDOPTS", "--neither-this-one")
    assert verdict(tmp_path, "def test_x(): pass\n").ok


def test_it_leaves_nothing_behind(tmp_path: Path) -> None:
    verdict(tmp_path, "def test_x(tmp_path): (tmp_path / 'x').touch()\n")
    assert [path.name for path in tmp_path.iterdir()] == ["test_subject.py"]


def test_megabytes_of_output_are_no_problem(tmp_path: Path) -> None:
    result = verdict(tmp_path, "def test_x():\n    print('x' * 10**7)\n    assert False, 'y' * 10**6\n")
    assert [test.outcome for test in result.tests] == [TestOutcome.FAILED]
    assert len(result.tests[0].message) < 200


SURROUNDED = """
import sys
import time


def test_it_depends_on_where_it_runs():
    assert (time.tzname, "-v" in sys.argv) == {seen!r}
"""


def test_runs_with_another_hash_seed_have_other_surroundings(tmp_path: Path) -> None:
    import time

    path = tmp_path / "test_it.py"
    path.write_text(SURROUNDED.replace("{seen!r}", repr((time.tzname, False))))
    first = verify(path, project=tmp_path, timeout=60, hash_seed=1)
    second = verify(path, project=tmp_path, timeout=60, hash_seed=2)
    assert [test.outcome for test in (*first.tests, *second.tests)] == [
        TestOutcome.PASSED,
        TestOutcome.FAILED,
    ]
