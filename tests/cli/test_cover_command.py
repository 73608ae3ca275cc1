"""`untrod cover` as a person meets it. Without a solver, mostly, so that these stay quick."""

from __future__ import annotations

import subprocess
import sys

import pytest

QUICK = ("--searcher", "none", "--budget", "400")


@pytest.fixture
def bank(project, examples):
    project.write("bank.py", (examples / "cover" / "bank.py").read_text())
    return project


def test_a_module_gets_a_suite_that_passes_and_the_second_campaign_starts_from_it(bank):
    result = bank.untrod("cover", "bank.py", *QUICK)
    assert result.status == 0, result.err
    assert "untrod cover bank.py: 20 of 20 branches" in result.out
    test = bank.folder / "tests/untrod/test_bank_cover.py"
    assert "untrod" not in "".join(line for line in test.read_text().splitlines() if not line.startswith("#"))
    command = [sys.executable, "-I", "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)]
    ran = subprocess.run(command, cwd="/", capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
    first = test.read_text()
    again = bank.untrod("cover", "bank.py", *QUICK, "--seed", "5", "--json")
    (finished,) = again.of("campaign-finished")
    assert finished["extra"]["covered"] == 20
    assert finished["extra"]["gained"]["earlier"] > 0
    assert finished["reason"] == "exhausted"
    assert test.read_text() == first, "stable between runs"


def test_what_nobody_meant_is_a_finding_that_replays(project):
    project.write(
        "shares.py", "def share(a: int, b: int):\n    if a // b == 70007 * 3001:\n        return a\n"
    )
    result = project.untrod("cover", "shares.py", "--searcher", "none", "--budget", "200")
    assert result.status == 1, result.err
    assert "ZeroDivisionError" in result.out
    assert "shares:2  if a // b == 70007 * 3001:" in result.out
    finding = result.out.partition("untrod replay ")[2].split()[0]
    assert project.untrod("replay", finding).status == 1


def test_a_finding_is_told_and_replayed_by_the_input_of_its_test(project):
    """The one that was found first is full of what it does not need."""
    project.write(
        "parts.py",
        "def last(items: list[str], wanted: str = ''):\n"
        "    if len(items) > 2 and wanted in items[0]:\n"
        "        return items[len(items)]\n"
        "    return None\n",
    )
    result = project.untrod("cover", "parts.py", "--searcher", "none", "--budget", "2000")
    test = (project.folder / "tests/untrod/test_parts_cover.py").read_text()
    (told,) = (line.strip() for line in result.out.splitlines() if line.strip().startswith("input: "))
    called = told.removeprefix("input: ")
    assert called == 'last(["", "", ""])'
    assert called in test
    finding = result.out.partition("untrod replay ")[2].split()[0]
    assert told in project.untrod("replay", finding).out


def test_a_solver_finishes_what_chance_cannot(project):
    pytest.importorskip("z3")
    project.write("lock.py", "def lock(n: int):\n    if n * 3 == 370371:\n        return n\n    return 0\n")
    result = project.untrod("cover", "lock.py:lock", "--searcher", "dfs", "--no-chance", "--budget", "50")
    assert "lock.py:lock: 2 of 2 branches" in result.out, result.out + result.err
    assert "lock(123457)" in (project.folder / "tests/untrod/test_lock_lock_cover.py").read_text()


@pytest.mark.parametrize(
    ("source", "arguments", "line"),
    [
        (
            "import nowhere_to_be_found\n",
            (),
            "importing broken failed: No module named 'nowhere_to_be_found'",
        ),
        ("raise RuntimeError('not today')\n", (), "importing broken failed: RuntimeError: not today"),
        ("open(__file__ + '.txt', 'w')\n", (), "guard refused to write"),
        (
            "import socket\nsocket.create_connection(('127.0.0.1', 9))\n",
            (),
            "guard refused to look up 127.0.0.1",
        ),
        ("x = 1\n", (), "broken has no public function or class of its own"),
        ("def f(a: int): return a\n", ("--searcher", "covnw"), "there is no searcher 'covnw'"),
        ("def f(a: int): return a\n", ("--pruning", "homy"), "there is no pruning 'homy'"),
        ("def f(a: int): return a\n", ("--also", "math"), "math is not written in Python"),
    ],
)
def test_what_a_person_can_mend_is_one_line(project, source, arguments, line):
    project.write("broken.py", source)
    result = project.untrod("cover", "broken.py", *QUICK, *arguments)
    assert result.status == 2
    assert line in result.err
    assert "Traceback" not in result.err


def test_what_the_guard_refuses_is_no_test_and_is_not_done_outside(project):
    project.write(
        "notes.py",
        "def keep(text: str) -> bool:\n    with open(__file__ + '.txt', 'w') as file:\n"
        "        file.write(text)\n    return True\n\n\ndef first(text: str) -> str:\n"
        "    if text:\n        return text[0]\n    return ''\n",
    )
    result = project.untrod("cover", "notes.py", "--searcher", "none", "--budget", "100")
    assert result.status == 1, result.err
    assert "refused to write" in result.out
    assert not (project.folder / "notes.py.txt").exists()
    assert "keep" not in (project.folder / "tests/untrod/test_notes_cover.py").read_text()


def test_what_the_code_prints_does_not_get_in_the_way(project):
    project.write(
        "loud.py",
        "import sys\nprint('on import')\n\n\ndef loud(n: int) -> int:\n    print('{', n)\n"
        "    sys.stderr.write('x' * 1000)\n    return 1 if n > 3 else 0\n",
    )
    result = project.untrod("cover", "loud.py", "--searcher", "none", "--budget", "50", "--json")
    assert result.status == 0, result.err
    (finished,) = result.of("campaign-finished")
    assert finished["extra"]["covered"] == finished["extra"]["branches"]


def test_a_huge_module_gives_partial_results(project):
    functions = [f"def f{n}(a: int) -> int:\n    return 1 if a == {n * 7919} else 0\n" for n in range(1_500)]
    functions += [
        f"def g{n}(a: int) -> int:\n    if a > {n}:\n        return 1\n    return 0\n" for n in range(500)
    ]
    project.write("huge.py", "\n\n".join(functions))
    result = project.untrod("cover", "huge.py", "--searcher", "none", "--budget", "300", "--json")
    assert result.status == 0, result.err
    (finished,) = result.of("campaign-finished")
    covered, branches = finished["extra"]["covered"], finished["extra"]["branches"]
    assert 0 < covered < branches == 1_000
    assert len(finished["extra"]["untaken"]) == branches - covered
