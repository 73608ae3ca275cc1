"""First turns go to what promises most."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest

from untrod.hunting.discover import discover
from untrod.hunting.promise import by_promise, promise
from untrod.plugins import Task

ORDER = {"inputs": 10, "cover": 20, "explore": 30, "gui": 40, "worst": 50}


def task(verb: str, target: str, worth: float = 1.0) -> Task:
    file = target.partition(":")[0]
    return Task(verb, target, "", file, (1, 2) if ":" in target else None, worth)


def names(tasks, left=None) -> list[str]:
    return [each.name for each in by_promise(tasks, ORDER, left)]


@pytest.mark.parametrize(
    ("source", "worth"),
    [
        ("X = 1", 0),
        ("def f(n): return n", 1),
        ("def _f(n): return n", 0),
        ("def f(n):\n    if n:\n        return [i for i in n if i]\n    while n: n -= 1", 4),
        ("def f(n):\n    try: g()\n    except KeyError: return 1 if n else 2", 3),
        ("class A:\n    def f(self):\n        for x in self: pass", 2),
    ],
)
def test_branches_and_public_functions_are_promising(source, worth):
    assert promise(ast.parse(source)) == worth


def test_of_a_function_its_own_lines_count():
    source = "def f(n):\n    if n: return 1\n\ndef g(n):\n    for x in n:\n        if x: return 2\n"
    assert (promise(ast.parse(source), (1, 2)), promise(ast.parse(source), (4, 6))) == (2, 3)


def test_the_largest_module_first_and_not_the_first_in_the_alphabet(project):
    project.write("a.py", "def f(n): ...\n")
    project.write("z.py", "def f(n):\n    if n: return 1\n    if n > 2: return 2\n")
    found = discover(project.folder, project.folder, Path("tests/untrod"))
    assert names(found.tasks) == ["cover z.py", "cover a.py"]


def test_what_the_projects_tests_take_already_can_wait():
    tasks = [task("cover", "a.py", 20), task("cover", "b.py", 10), task("cover", "c.py", 9)]
    assert names(tasks) == ["cover a.py", "cover b.py", "cover c.py"]
    left = {"a.py": 0.0, "b.py": 0.5}  # no test imports c.py
    assert names(tasks, left) == ["cover c.py", "cover b.py", "cover a.py"]


def test_engines_take_turns_and_files_go_before_functions_in_them():
    tasks = [
        *(task("inputs", f"t{n}.py", n) for n in (1, 2, 3)),
        *(task("cover", f"{n}.py", n) for n in (1, 2)),
        task("worst", "2.py:f", 99),
        task("gui", "http://app", 0),
        task("explore", "http://app", 0),
    ]
    tasks = [replace(each, lines=None) if "://" in each.target else each for each in tasks]
    assert names(tasks) == [
        *("inputs t3.py", "cover 2.py", "explore http://app", "gui http://app"),
        *("inputs t2.py", "cover 1.py", "inputs t1.py", "worst 2.py:f"),
    ]
