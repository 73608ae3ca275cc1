"""The project's own tests: what they cover as they are, and which of them fail without us."""

from __future__ import annotations

from pathlib import Path

import pytest

from untrod.hunting.before_after import Coverage, Measuring
from untrod.hunting.hunt import Record
from untrod.hunting.own_failures import EVIDENCE, asked_about, note_in, set_apart
from untrod.hunting.own_tests import OwnTests, PytestRun
from untrod.plugins import Task
from untrod.store import Store

pytestmark = pytest.mark.timeout(300)
MODULE = "def sign(n):\n    if n > 0:\n        return 1\n    return 0\n"
TEST = "from pkg.signs import sign\n\n\ndef test_sign():\n    assert sign(3) == 1\n"


def measuring(project, tmp_path, *files: str) -> Measuring:
    folder = tmp_path / "scratch"
    folder.mkdir()
    return Measuring(OwnTests(project.folder, files), project.folder, files, Path("tests/untrod"), folder)


def test_a_src_layout_is_measured_though_nothing_is_installed(project, tmp_path):
    project.write("src/pkg/__init__.py", "")
    project.write("src/pkg/signs.py", MODULE)
    project.write("tests/test_signs.py", TEST)
    looked = measuring(project, tmp_path, "src/pkg/signs.py")
    assert looked.before(120) == Coverage(1, 2)
    assert looked.left == {"src/pkg/signs.py": 0.5}
    assert looked.ran.passed == {"tests/test_signs.py::test_sign"}


def test_the_files_here_are_measured_and_not_the_installed_copy(project, tmp_path, monkeypatch):
    for place in ("src", "elsewhere"):
        project.write(f"{place}/pkg/__init__.py", "")
        project.write(f"{place}/pkg/signs.py", MODULE)
    project.write("tests/test_signs.py", TEST)
    monkeypatch.setenv("PYTHONPATH", str(project.folder / "elsewhere"))
    assert measuring(project, tmp_path, "src/pkg/signs.py").before(120) == Coverage(1, 2)


def test_an_installed_copy_that_the_tests_insist_on_is_said(project, tmp_path):
    for place in ("src", "elsewhere"):
        project.write(f"{place}/pkg/__init__.py", "")
        project.write(f"{place}/pkg/signs.py", MODULE)
    project.write(
        "tests/conftest.py", f"import sys\nsys.path.insert(0, {str(project.folder / 'elsewhere')!r})\n"
    )
    project.write("tests/test_signs.py", TEST)
    looked = measuring(project, tmp_path, "src/pkg/signs.py")
    gain = looked.gain(looked.before(120), None)
    assert gain.before is None
    assert gain.why == f"the tests import an installed copy: {project.folder}/elsewhere/pkg/signs.py"


def test_tests_that_take_too_long_are_measured_as_far_as_they_ran(project, tmp_path, monkeypatch):
    project.write("signs.py", MODULE)
    source = "from signs import sign\nimport threading\n\ndef test_1():\n    assert sign(1) == 1\n"
    source += "\ndef test_2():\n    threading.Event().wait()  # for ever\n    assert sign(0) == 0\n"
    project.write("tests/test_signs.py", source)
    monkeypatch.setattr("untrod.hunting.own_tests.IN_TIME", 0.1)
    looked = measuring(project, tmp_path, "signs.py")
    before = looked.before(80)
    assert before == Coverage(1, 2)
    assert looked.ran.passed == {"tests/test_signs.py::test_1"}
    assert looked.gain(before, None).in_words()[0] == (
        "by the project's own tests: at least 1 of 2 branches (50%): no time for all in 1m 20s"
    )


def test_options_and_warnings_of_the_project_do_not_spoil_it(project, tmp_path):
    project.write("pkg/__init__.py", "")
    project.write("pkg/signs.py", MODULE)
    project.write("pytest.ini", "[pytest]\naddopts = -n 4 --cov=pkg\nfilterwarnings = error\n")
    project.write("tests/test_signs.py", TEST)
    project.write("tests/test_broken.py", "import nowhere\n")
    assert measuring(project, tmp_path, "pkg/signs.py").before(120) == Coverage(1, 2)


FAILING = """
import unittest
import pytest

@pytest.fixture
def broken():
    raise OSError("no locale")

def test_passed(): pass
def test_failed(): assert 1 == 2
def test_setup(broken): pass

class TestIt:
    @pytest.mark.parametrize("n", [1, 2])
    def test_each(self, n): assert n == 1

class Case(unittest.TestCase):
    def test_case(self): self.fail("no")
"""


def test_which_tests_fail_as_they_are(project, tmp_path):
    project.write("tests/unit/test_a.py", FAILING)
    ran = OwnTests(project.folder, ()).run(tmp_path, [], 120)
    node = "tests/unit/test_a.py::"
    assert ran.failing.keys() == {
        *(node + name for name in ("test_failed", "test_setup", "TestIt::test_each[2]", "Case::test_case"))
    }
    assert "OSError" in ran.failing[f"{node}test_setup"]
    assert ran.passed == {f"{node}test_passed", f"{node}TestIt::test_each[1]"}


def found(name: str, test: str, error: str):
    detail = {"test": test, "exception": {"module": "builtins", "name": error}}
    return {"id": name, "key": name, "kind": "failed", "title": f"{error}: no locale", "detail": detail}


def test_a_test_that_fails_without_us_is_one_line_and_no_finding():
    record = Record(Task("inputs", "t.py", "", "t.py"), turns=1)
    bodies = [
        found("f1", "t.py::a", "OSError"),
        found("f2", "t.py::b", "OSError"),
        found("f3", "t.py::c", "KeyError"),
    ]
    record.findings = {body["id"]: body for body in bodies}
    known = PytestRun(1, {"t.py::a": "OSError: no locale", "t.py::c": "DeadlineExceeded: slow"}, frozenset())
    assert asked_about([record], known) == ["t.py::b"]
    later = PytestRun(1, {"t.py::b": 'failed on setup with "OSError: no locale"'})
    assert set_apart([record], known, later) == [
        "2 tests of the project fail without untrod as well: OSError: no locale"
    ]
    assert list(record.findings) == ["f3"]  # for another reason: that is news
    assert set_apart([record], known, later) == []


def test_in_the_store_it_is_a_note(tmp_path):
    from untrod.core.budget import Budget
    from untrod.core.events import FindingFound
    from untrod.core.vocabulary import Finding, Trace

    with Store.open(tmp_path / "store") as store:
        row = store.create_campaign("hypothesis", "t.py", {}, 0, Budget())
        finding = Finding("key", "failed", "OSError", Trace(()), {"test": "t.py::a"})
        with store.recorder(row.id) as recorder:
            recorder(FindingFound(finding, 0, 0))
        record = Record(Task("inputs", "t.py", "", "t.py"), campaign=row.id, own_failures={finding.id: {}})
        note_in(store, [record])
        (kept,) = store.findings(row.id)
    assert (kept.detail["level"], kept.detail["evidence"]) == ("note", EVIDENCE)
