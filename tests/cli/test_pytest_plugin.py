"""`pytest --untrod`: the learner in charge of the project's tests, and stored findings tried again."""

from __future__ import annotations

import subprocess
import sys

import pytest

TESTS = """
from hypothesis import given, settings, strategies as st

@given(st.integers())
def test_plain(n):
    assert settings.default.backend == {backend!r}

@settings(max_examples=7)
@given(st.integers())
def test_with_settings_of_its_own(n):
    assert test_with_settings_of_its_own._hypothesis_internal_use_settings.backend == {backend!r}
"""

DIVISION = """
def share(total: int, people: int) -> int:
    if people > 0:
        return total // people
    return total // 0
"""


def run_pytest(project, *words: str):
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", *words],
        cwd=project.folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(("words", "backend"), [((), "hypothesis"), (("--untrod",), "untrod")])
def test_the_backend_is_the_default_of_every_test(project, words, backend):
    project.write("test_it.py", TESTS.format(backend=backend))
    done = run_pytest(project, *words)
    assert done.returncode == 0, done.stdout


def test_a_profile_that_the_project_loads_is_built_upon(project):
    project.write(
        "conftest.py",
        "from hypothesis import settings\nsettings.register_profile('few', max_examples=3)\n"
        "settings.load_profile('few')\n",
    )
    project.write(
        "test_it.py",
        "from hypothesis import settings\ndef test_it():\n"
        "    assert (settings.default.max_examples, settings.default.backend) == (3, 'untrod')\n",
    )
    done = run_pytest(project, "--untrod")
    assert done.returncode == 0, done.stdout


def test_a_stored_finding_fails_until_it_is_mended(project):
    project.write("shares.py", DIVISION)
    project.write("test_it.py", "def test_it(): pass\n")
    assert project.untrod("cover", "shares.py", "--budget", 30).status == 1
    # The campaign's own tests expect the failure: only the stored finding counts here.
    done = run_pytest(project, "--untrod", "test_it.py")
    assert done.returncode == 1, done.stdout
    assert "ZeroDivisionError" in done.stdout
    assert "untrod replay f" in done.stdout
    assert "1 failed, 1 passed" in done.stdout
    assert run_pytest(project, "--untrod", "test_it.py::test_it").returncode == 0  # who names a test wants it
    project.write("shares.py", DIVISION.replace("total // 0", "0"))
    assert "2 passed" in run_pytest(project, "--untrod", "test_it.py").stdout


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--untrod", "--untrod-learner", "magic"), "magic"),
        (("--untrod-learner", "random"), "--untrod-learner needs --untrod"),
    ],
)
def test_mistakes_are_one_line(project, words, complaint):
    project.write("test_it.py", "def test_it(): pass\n")
    done = run_pytest(project, *words)
    assert done.returncode == 4
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


def test_it_costs_pytest_next_to_nothing():
    """Nothing but pytest is imported before it is asked for."""
    heavy = ("hypothesis", "rich", "typer", "coverage", "z3", "torch", "sqlite3")
    code = (
        "import sys, pytest; before = set(sys.modules); import untrod.engines.inputs.backend.pytest_plugin;"
        f"print(sorted(set({heavy!r}) & (set(sys.modules) - before)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
