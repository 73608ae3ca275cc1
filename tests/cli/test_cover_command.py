"""`untrod cover` as a person meets it. Without a solver, mostly, so that these stay quick."""

from __future__ import annotations

import json
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
    assert "(123457, 123457)" in (project.folder / "tests/untrod/test_lock_lock_cover.py").read_text()


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
        ("x = 1\n", (), "broken has no function or class of its own"),
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


def test_what_the_guard_refuses_is_not_done_by_a_test_either(project):
    """There is one all the same: with a stand-in for what would do it."""
    project.write(
        "notes.py",
        "def keep(text: str) -> bool:\n    with open(__file__ + '.txt', 'w') as file:\n"
        "        file.write(text)\n    return True\n\n\ndef first(text: str) -> str:\n"
        "    if text:\n        return text[0]\n    return ''\n",
    )
    result = project.untrod("cover", "notes.py", "--searcher", "none", "--budget", "100")
    assert result.status == 1, result.err
    assert "refused to write" in result.out
    tests = project.folder / "tests/untrod/test_notes_cover.py"
    source = tests.read_text()
    assert 'monkeypatch.setattr(\n        "builtins.open", Mock(side_effect=PermissionError(13' in source
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", tests], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout  # with no guard around it
    assert not (project.folder / "notes.py.txt").exists()


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


def covered_under_coverage(project, module: str) -> int:
    """What coverage.py says that the written suite takes."""
    run = [sys.executable, "-m", "coverage", "run", "--branch", "--include", f"{module}.py", "-m", "pytest"]
    test = f"tests/untrod/test_{module}_cover.py"
    ran = subprocess.run([*run, "-q", test], cwd=project.folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
    told = subprocess.run(
        [sys.executable, "-m", "coverage", "json", "-o", "-"],
        cwd=project.folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(told.stdout)["totals"]["covered_branches"]


def test_branches_of_tests_that_do_not_hold_are_not_claimed(project):
    """Under pytest it goes another way than in a worker; by hashes; and by chance."""
    project.write(
        "moody.py",
        "import random\nimport sys\n\n\n"
        "def place(n: int) -> int:\n    if 'untrod.engines.cover.job' in sys.modules:\n        return n\n"
        "    raise RuntimeError('somewhere else')\n\n\n"
        "def first(n: int) -> str:\n    for name in {str(n), 'b', 'c', 'd', 'e'}:\n        return name\n"
        "    return ''\n\n\n"
        "def coin(n: int) -> str:\n    if random.random() < 0.5:\n        return 'heads'\n"
        "    return 'tails'\n\n\n"
        "def sign(n: int) -> int:\n    if n < 0:\n        return -1\n    return 1\n",
    )
    result = project.untrod("cover", "moody.py", *QUICK, "--json")
    (finished,) = result.of("campaign-finished")
    assert result.events[-1] == finished
    source = (project.folder / "tests/untrod/test_moody_cover.py").read_text()
    assert "place" not in source.partition("import sys")[2]
    assert "    assert isinstance(coin(0), str)\n" in source
    assert "    assert isinstance(first(0), str)\n" in source
    rows = {(row[1], row[2]): row[5] for row in finished["extra"]["untaken"]}
    held = "taken, but by no test that holds"
    assert [rows.get(arc) for arc in ((6, 7), (18, 20))] == [held, held]
    assert finished["extra"]["covered"] == 3  # of `first` and `sign`
    assert covered_under_coverage(project, "moody") == 4  # and this or that side of the coin


def test_of_what_reads_a_clock_nothing_is_proved(project):
    pytest.importorskip("z3")
    plain = "def early(n: int) -> int:\n    if n != n:\n        return 0\n    return 2 if n > 3 else 1\n"
    project.write("plain.py", plain)
    project.write("clock.py", "import time\n\n\n" + plain.replace("n != n", "time.time() < 5"))
    arguments = ("--no-chance", "--budget", "60")
    assert "all paths were walked" in project.untrod("cover", "plain.py", *arguments).out
    assert "all paths were walked" not in project.untrod("cover", "clock.py", *arguments).out


WHEELS = """
TABLE = tuple(range(10))

def lock(a: int, b: int, c: int, rest: int) -> str:
    if not 0 <= rest < 10:
        return "none"
    total = TABLE[a % 10] + TABLE[b % 10] + TABLE[c % 10]
    if 10 * total + rest == 275:
        return "open"
    return "shut"
"""


def test_how_far_a_path_was_off_leads_to_the_next_one(project):
    """Each wheel becomes concrete, so no solver sees all three at once; coverage says nothing on the way. In
    processes of their own: which inputs Z3 finds depends on what the process did before."""
    project.write("wheels.py", WHEELS)

    def covered(searcher: str) -> int:
        flags = ("--searcher", searcher, "--pruning", "none", "--no-chance", "--budget", "500", "--seed", "6")
        (finished,) = project.untrod("cover", "wheels.py", *flags, "--json").of("campaign-finished")
        return finished["extra"]["covered"]

    assert covered("covnew") == 3
    assert covered("fittest") == 4


def test_what_is_claimed_of_an_installed_module_is_what_its_suite_takes(project):
    """coverage.py leaves out the standard library and what is installed, unless it is told."""
    flags = ("--searcher", "none", "--budget", "300", "--seed", "1", "--json")
    (finished,) = project.untrod("cover", "colorsys", *flags).of("campaign-finished")
    assert finished["extra"]["covered"] >= 20
