"""Hypothesis tests that are methods: of plain classes, with a setup, inherited, and of unittest."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.timeout(300)
CLASSES = """
import unittest

import pytest
from hypothesis import given, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule


class TestPlain:
    @given(st.integers())
    def test_fine(self, n):
        assert n == n

    @given(st.integers())
    def test_bad(self, n):
        assert n < 100


class TestSetup:
    def setup_method(self):
        self.limit = 101

    @given(st.integers())
    def test_fine(self, n):
        assert self.limit == 101

    @given(st.integers())
    def test_bad(self, n):
        assert n < self.limit


class TestOther:
    def setup_method(self, method):
        self.limit = 102 if method.__name__ == "test_bad" else 0

    @given(st.integers())
    def test_bad(self, n):
        assert n < self.limit


class TestCase(unittest.TestCase):
    def setUp(self):
        self.limit = 103

    @given(st.integers())
    def test_fine(self, n):
        self.assertEqual(self.limit, 103)

    @given(st.integers())
    def test_bad(self, n):
        self.assertLess(n, self.limit)


class Base:
    limit = 104

    @given(st.integers())
    def test_fine(self, n):
        assert self.limit

    @given(st.integers())
    def test_bad(self, n):
        assert n < self.limit


class TestInherited(Base):
    pass


class TestInheritedToo(Base):
    limit = 105


class TestFixture:
    @pytest.fixture(autouse=True, scope="class")
    def prepared(self, request):
        request.cls.limit = 106

    @given(n=st.integers())
    def test_bad(self, n):
        assert n < self.limit


class TestOuter:
    class TestInner:
        @given(st.integers())
        def test_bad(self, n):
            assert n < 107


class TestPerExample(unittest.TestCase):
    def setup_example(self):
        self.ready = True

    @given(st.integers())
    def test_bad(self, n):
        assert self.ready and n < 108


class TestSmall:
    @given(st.booleans())
    def test_it(self, yes):
        assert yes in (True, False)


class TestRefused:
    @pytest.fixture
    def fresh(self):
        return []

    @given(n=st.integers())
    def test_it(self, fresh, n):
        assert not fresh


class TestNone:
    @given(st.none())
    def test_it(self, nothing):
        assert nothing is not None


class Machine(RuleBasedStateMachine):
    @rule(n=st.integers(0, 50))
    def step(self, n):
        assert n != 7


TestMachine = Machine.TestCase
"""
BAD = {
    "TestPlain": 100,
    "TestSetup": 101,
    "TestOther": 102,
    "TestCase": 103,
    "TestInherited": 104,
    "TestInheritedToo": 105,
    "TestFixture": 106,
    "TestOuter::TestInner": 107,
    "TestPerExample": 108,
}
UNWRITTEN = {"TestCase", "TestPerExample", "TestFixture"}  # need unittest, or pytest's fixtures


@pytest.fixture(scope="module")
def campaign(lasting_project):
    project = lasting_project
    project.write("test_classes.py", CLASSES)
    return project, project.untrod("inputs", "test_classes.py", "--json", "--budget", 5000, timeout=280)


def found(campaign) -> dict[str, dict]:
    _, result = campaign
    return {
        event["finding"]["detail"]["test"]
        .removeprefix("test_classes.py::")
        .removesuffix("::test_bad"): event["finding"]
        for event in result.of("finding")
    }


def test_what_fails_is_found_and_nothing_else(campaign):
    _, result = campaign
    assert result.status == 1, result.err
    findings = found(campaign)
    assert all("held" not in each["detail"] for each in findings.values())
    assert findings.keys() == {*BAD, "TestNone::test_it", "TestMachine::runTest"}
    for name, least in BAD.items():
        assert findings[name]["detail"]["value"]["text"] == f"{{'n': {least}}}"
    assert findings["TestNone::test_it"]["detail"]["value"]["text"] == "{'nothing': None}"


def test_a_health_check_is_a_note_and_no_finding(campaign):
    _, result = campaign
    (note,) = (event["text"] for event in result.of("notice") if "TestRefused" in event["text"])
    assert note.startswith("test_classes.py::TestRefused::test_it: Hypothesis refuses to run it: ")
    assert "function-scoped fixture" in note


def test_findings_are_replayed(campaign):
    project, _ = campaign
    findings = found(campaign)
    for name in ("TestPlain", "TestCase", "TestInheritedToo", "TestFixture", "TestNone::test_it"):
        again = project.untrod("replay", findings[name]["id"], "--json")
        assert (again.status, json.loads(again.out)["held"]) == (1, 1), name
    said = project.untrod("replay", findings["TestSetup"]["id"])
    assert (said.status, said.err) == (1, "")
    assert said.out.endswith("shows again in 1 of 1\n")


def test_replaying_what_has_no_input_is_no_crash(campaign):
    project, _ = campaign
    said = project.untrod("replay", found(campaign)["TestMachine::runTest"]["id"])
    assert said.status in (0, 1), said.err
    assert said.err == ""


def test_the_tests_that_are_written_fail_as_they_say(campaign):
    project, result = campaign
    (written,) = result.of("test-written")
    source = (project.folder / written["path"]).read_text()
    for name in BAD.keys() - UNWRITTEN:
        dotted = name.replace("::", ".")
        assert f"target_{dotted}.test_bad.hypothesis.inner_test(case, n={BAD[name]})" in source
    assert "case.setup_method()" in source
    assert "case.setup_method(case.test_bad)" in source
    assert "tmp_path" not in source  # nothing was touched
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", written["path"]],
        cwd=project.folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert f"{len(BAD) - len(UNWRITTEN) + 1} xfailed" in done.stdout  # and TestNone's


def test_self_does_not_make_inputs_different(project):
    project.write("test_classes.py", CLASSES)
    result = project.untrod("inputs", "test_classes.py::TestSmall", "--json", "--budget", 600)
    assert result.status == 0
    assert result.of("campaign-finished")[0]["unique"] == 2
