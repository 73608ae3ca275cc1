"""From all that was run to a few small tests that pin it, and take the same branches under coverage.py."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from untrod.engines.cover.case import Input, Step
from untrod.engines.cover.emit import as_test, fatal
from untrod.engines.cover.loading import load_subject
from untrod.engines.cover.suite import build_suite, choose, shrink
from untrod.output.pytest_verify import TestOutcome, verify
from untrod.output.pytest_writer import Origin, render_file, write_tests
from untrod.runtime.loading import TargetName
from untrod.source.literals import express

EXAMPLES = Path(__file__).parents[2] / "examples" / "cover"

ODDS = """
import asyncio


class Local(Exception):
    pass


def evens(n: int):
    for i in range(n):
        if i % 2 == 0:
            yield i


def forever():
    while True:
        yield 1


async def double(n: int) -> int:
    await asyncio.sleep(0)
    return 2 * n if n > 0 else 0


async def items(n: int):
    for i in range(n):
        yield i


def thing(n: int):
    return object() if n else {"a", "b"}


def nan() -> float:
    return float("nan")


def refuse(n: int) -> int:
    raise Local(f"not {n}")


def refuse_anew(n: int) -> int:
    raise type("Made", (Local,), {})("just now")


class Box:
    def __init__(self, size: int = 3) -> None:
        self.size = size

    def __len__(self) -> int:
        return self.size

    def parts(self):
        yield from range(self.size)
        self.size = 0

    async def later(self):
        yield self.size

    @property
    def big(self) -> bool:
        return self.size > 5

    def grow(self, by: int = 1) -> None:
        self.size += by
"""


class Silent:
    def begin(self, episode: int) -> None: ...
    def trace(self, answers: list[int]) -> None: ...
    def end(self) -> None: ...


class Lab:
    """A module, run in this process."""

    def __init__(self, folder: Path, module: str) -> None:
        self.folder, self.module = folder, module
        target = TargetName(module, "", str(folder)).to_json()
        self.subject = load_subject(
            {"project": str(folder), "target": target, "also": [], "seed": 0}, Silent()
        )
        self.runs = 0

    def run(self, given: Input):
        self.runs += 1
        run = self.subject.run(given)
        return self.subject.case(run, "test")[0] if run.valid else None

    def case(self, *steps):
        """Each step is a name and arguments; a name with a dot in front is read."""
        made = tuple(
            Step(name.lstrip("."), tuple(map(express, arguments)), kind="get" if name[0] == "." else "call")
            for name, *arguments in steps
        )
        return self.run(Input(f"{self.module}:{made[0].name}", made))

    def source(self, cases, folder: Path) -> str:
        return render_file(folder, map(as_test, cases), self.origin)

    @property
    def origin(self) -> Origin:
        return Origin("cover", f"{self.module}.py", self.folder, (self.folder,))


@pytest.fixture
def lab(tmp_path, monkeypatch):
    """`lab("triangle")` for an example, `lab("odds", source)` for a module of the test's own."""
    known, paths = set(sys.modules), list(sys.path)

    def make(module: str, source: str = "") -> Lab:
        folder = tmp_path / "project"
        folder.mkdir()
        text = source or (EXAMPLES / f"{module}.py").read_text()
        (folder / f"{module}.py").write_text(text)
        return Lab(folder, module)

    yield make
    sys.path[:] = paths
    for name in set(sys.modules) - known:
        if str(tmp_path) in (getattr(sys.modules[name], "__file__", None) or ""):
            del sys.modules[name]


@pytest.fixture
def triangles(lab):
    lab = lab("triangle")
    sides = [-3, 7, 12, 13, 5, 40]
    return lab, [lab.case(("triangle", *three)) for three in product(sides, repeat=3)]


def test_the_suite_takes_all_arcs_with_few_cases_and_small_values(triangles):
    lab, cases = triangles
    suite = build_suite(cases, lab.run)
    assert set().union(*(case.arcs for case in suite)) == set().union(*(case.arcs for case in cases))
    assert sorted(str(case) for case in suite) == [
        "triangle(0, 0, 0) raises ValueError",
        "triangle(1, 1, 1) -> 'equilateral'",
        "triangle(1, 1, 2) -> 'no triangle'",
        "triangle(12, 13, 5) -> 'right-angled'",
        "triangle(2, 2, 1) -> 'isosceles'",
        "triangle(8, 2, 7) -> 'scalene'",
    ]


def test_the_order_in_which_cases_were_found_makes_no_difference(triangles):
    lab, cases = triangles
    assert build_suite(cases[::-1], lab.run) == build_suite(cases, lab.run)


def test_the_number_of_runs_is_bounded(triangles):
    lab, cases = triangles
    few, before = len(choose(cases)), lab.runs
    build_suite(cases, lab.run, checks=10)
    assert lab.runs - before <= 10 + 2 * few


def test_what_does_not_run_again_is_left_out(triangles):
    lab, cases = triangles
    suite = build_suite(cases, lambda given: None if "triangle(12, 13, 5)" in str(given) else lab.run(given))
    assert not any("triangle(12, 13, 5)" in str(case) for case in suite)
    assert any("right-angled" in str(case) for case in suite)  # by other sides


def test_shrinking_keeps_the_exception_and_drops_steps_that_nobody_needs(lab):
    lab = lab("bank")
    case = lab.case(("Account", "Grace", 500), ("deposit", 77), (".status",), ("withdraw", 9999))
    small = shrink(case, frozenset(), lab.run)
    assert str(small) == 'Account("a", 0); .withdraw(1) raises Refused'


def test_each_test_says_what_the_code_does_today(lab, tmp_path):
    lab = lab("bank")
    cases = [
        lab.case(("Account", "Ada", 10), ("deposit", 4), ("withdraw", 3)),
        lab.case(("Account", "Ada", 10), ("withdraw", 4), (".status",)),
        lab.case(("Account", "")),
        lab.case(("Account", "Ada"), ("withdraw", 4), (".status",)),
    ]
    source = lab.source(cases, tmp_path / "project" / "tests")
    assert "pin what the code does today, right or wrong" in source
    for lines in (
        """\
def test_account_status_returns_frozen():
    account = Account("Ada")
    with pytest.raises(Refused):
        account.withdraw(4)
    assert account.status == "frozen"
""",
        """\
def test_account_status_returns_in_debt():
    account = Account("Ada", 10)
    account.withdraw(4)
    assert account.status == "in debt"
""",
        """\
def test_account_withdraw_of_3_returns_1():
    account = Account("Ada", 10)
    account.deposit(4)
    assert account.withdraw(3) == 1
    assert account.balance == 1
""",
        """\
def test_account_of_empty_text_raises_value_error():
    with pytest.raises(ValueError, match="an account belongs to somebody"):
        Account("")
""",
    ):
        assert lines in source


def test_what_looks_like_a_bug_says_so(lab, tmp_path):
    lab = lab("calc")
    source = lab.source([lab.case(("evaluate", "1/0"))], tmp_path)
    assert "    # Looks like a bug: ZeroDivisionError in calc.py:" in source
    assert "Some of it looks like a bug. Those tests say so." in source


def test_all_kinds_of_results_replay_under_pytest(lab, tmp_path):
    lab = lab("odds", ODDS)
    cases = [
        lab.case(("evens", 5)),
        lab.case(("forever",)),
        lab.case(("double", 4)),
        lab.case(("items", 3)),
        lab.case(("thing", 0)),
        lab.case(("thing", 1)),
        lab.case(("nan",)),
        lab.case(("refuse", 7)),
        lab.case(("refuse_anew", 7)),
        lab.case(("Box", 4), ("__len__",)),
        lab.case(("Box", 4), (".big",), ("grow", 2), (".big",)),
        lab.case(("Box", 4), ("parts",), ("later",), ("__len__",)),
    ]
    ending = fatal(cases[0].given, "it hangs", "f123")
    folder = tmp_path / "project" / "tests"
    (path,) = write_tests(folder, "odds", [*map(as_test, cases), ending], lab.origin)
    result = verify(path, project=lab.folder, timeout=300)
    assert not result.error
    assert {test.outcome for test in result.tests} == {TestOutcome.PASSED, TestOutcome.EXPECTED_FAILURE}
    source = path.read_text()
    assert "assert list(evens(5)) == [0, 2, 4]" in source
    assert "list(islice(forever(), 100))" in source
    assert "assert asyncio.run(double(4)) == 8" in source or "assert run(double(4)) == 8" in source
    assert "assert collected(items(3)) == [0, 1, 2]" in source
    assert 'assert thing(0) == {"a", "b"}' in source
    assert 'assert type(thing(1)).__name__ == "object"' in source
    assert 'assert repr(nan()) == "nan"' in source
    assert 'with pytest.raises(Local, match="just now")' in source
    assert "assert len(box) == 4" in source
    assert (
        "    list(islice(box.parts(), 100))\n    collected(box.later())\n    assert len(box) == 0" in source
    )
    assert "assert box.big is True" in source


def test_coverage_py_confirms_the_branches(triangles, tmp_path):
    lab, cases = triangles
    suite = build_suite(cases, lab.run)
    folder = tmp_path / "project" / "tests"
    (path,) = write_tests(folder, "triangle", map(as_test, suite), lab.origin)
    run = [
        sys.executable,
        "-m",
        "coverage",
        "run",
        "--branch",
        "--include",
        "triangle.py",
        "-m",
        "pytest",
        "-q",
    ]
    subprocess.run([*run, str(path)], cwd=lab.folder, check=True, capture_output=True)
    told = subprocess.run(
        [sys.executable, "-m", "coverage", "json", "-o", "-"], cwd=lab.folder, capture_output=True, text=True
    )
    totals = json.loads(told.stdout)["totals"]
    claimed = lab.subject.branch_map.bits_of(arc for case in suite for arc in case.arcs)
    assert totals["covered_branches"] == lab.subject.branch_map.covered(claimed | lab.subject.imported)
