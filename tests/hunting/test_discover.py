"""What a project has to test, read from its source alone."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from untrod.core.errors import UntrodError
from untrod.hunting.discover import discover

OWN = Path("tests/untrod")


def tasks(project, place: str = "."):
    found = discover(project.folder / place, project.folder, OWN)
    return {(task.verb, task.target): task for task in found.tasks}


def test_a_module_with_something_public_is_for_cover(project):
    project.write("pkg/prices.py", "def price(text): ...\nclass Cart:\n    def total(self): ...\n")
    project.write("pkg/private.py", "def _price(text): ...\nLIMIT = 3\n")
    assert set(tasks(project)) == {("cover", "pkg/prices.py")}
    assert tasks(project)["cover", "pkg/prices.py"].why == "1 function and 1 class"


@pytest.mark.parametrize(
    "source",
    [
        "class NotFound(Exception): pass",
        "class NotFound(LookupError):\n    def __str__(self): return 'no'",
        "class Base(Exception): pass\nclass Own(Base): pass",
        "class P(Protocol):\n    def f(self): ...",
        "class A(abc.ABC):\n    @abc.abstractmethod\n    def f(self): ...",
        "@dataclass\nclass Point:\n    x: int",
        "class Colour(Enum):\n    RED = 1",
        "class Constants:\n    LIMIT = 3",
        "class HyperlinkTestCase(TestCase):\n    def assertOdd(self, n): ...",
    ],
)
def test_classes_that_nothing_can_be_called_of_are_not_promised(project, source):
    project.write("m.py", source)
    assert not tasks(project)
    project.write("m.py", f"{source}\nclass Cart:\n    def total(self): ...\n")
    assert tasks(project)["cover", "m.py"].why == "1 class"


def test_classes_that_have_code_from_elsewhere_are_promised(project):
    project.write(
        "m.py", "class A(elsewhere.Base): pass\nclass E(Exception):\n    def __init__(self, n): ...\n"
    )
    assert tasks(project)["cover", "m.py"].why == "2 classes"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("def f(xs: list[int]):\n    for x in xs: pass", "a loop, and xs of any size"),
        ("def f(t: 'str', n: int):\n    return [c for c in t]", "a loop, and t of any size"),
        ("def f(a: str, b: bytes):\n    return f(a[1:], b)", "recursion, and a and b of any size"),
        ("import typing\ndef f(a: typing.List[int]):\n    while a: pass", "a loop, and a of any size"),
        ("def f(n: int, *, xs: list[int]):\n    for x in xs: pass", "a loop, and xs of any size"),
    ],
)
def test_a_function_whose_cost_may_grow_is_for_worst(project, source, reason):
    project.write("m.py", source)
    assert tasks(project)["worst", "m.py:f"].why == reason


@pytest.mark.parametrize(
    "source",
    [
        "def f(xs):\n    for x in xs: pass",  # of no declared size
        "def f(xs: list[int], other):\n    for x in xs: pass",  # an argument nobody can make
        "def f(n: int):\n    for x in range(n): pass",
        "def f(xs: list[int]):\n    return xs[0]",
        "def f(n: int, xs: list[int] = ()):\n    for x in xs: pass",  # keeps its default
        "async def f(xs: list[int]):\n    for x in xs: pass",
        "def _f(xs: list[int]):\n    for x in xs: pass",
    ],
)
def test_others_are_not(project, source):
    project.write("m.py", source)
    assert not [verb for verb, _ in tasks(project) if verb == "worst"]


def test_hypothesis_tests_are_for_inputs_and_other_tests_for_nobody(project):
    project.write("tests/test_given.py", "@given(st.integers())\ndef test_it(n): ...\n")
    project.write("tests/test_machine.py", "class M(stateful.RuleBasedStateMachine): ...\n")
    project.write("tests/test_plain.py", "def test_it(): ...\n")
    project.write("tests/helpers.py", "def helper(xs: list[int]):\n    for x in xs: pass\n")
    assert set(tasks(project)) == {("inputs", "tests/test_given.py"), ("inputs", "tests/test_machine.py")}


def test_what_is_not_the_projects_own_is_passed_over(project):
    for place in (".hidden/a.py", "venv/lib/a.py", "node_modules/a.py", "tests/untrod/test_a.py", "setup.py"):
        project.write(place, "from hypothesis import given\n@given()\ndef test_f(xs): ...\n")
    project.write("venv/pyvenv.cfg", "")
    assert not tasks(project)


def test_what_cannot_be_read_is_named(project):
    project.write("broken.py", "def f(:\n")
    project.write("fine.py", "def f(): ...\n")
    found = discover(project.folder, project.folder, OWN)
    assert [task.target for task in found.tasks] == ["fine.py"]
    assert len(found.notices) == 1
    assert "broken.py is left out: invalid syntax, line 1" in found.notices[0]


@pytest.mark.timeout(60)
def test_what_is_no_ordinary_file_is_named_and_not_read(project, monkeypatch):
    monkeypatch.chdir(project.folder)
    os.mkfifo("fifo.py")
    Path("endless.py").symlink_to("/dev/zero")
    Path("loop.py").symlink_to("loop.py")
    with socket.socket(socket.AF_UNIX) as end:
        end.bind("socket.py")
    Path("large.py").write_bytes(b"#" * 2_000_001)
    project.write("folder.py/inner.py", "def f(): ...\n")
    Path("round").symlink_to(".")  # is not followed: it has no end

    found = discover(Path("."), project.folder, OWN)
    assert [task.target for task in found.tasks] == ["folder.py/inner.py"]
    assert list(found.notices) == [
        "endless.py is left out: it is a device",
        "fifo.py is left out: it is a FIFO",
        "large.py is left out: it is larger than 2 MB",
        "loop.py is left out: Too many levels of symbolic links",
        "socket.py is left out: it is a socket",
    ]
    assert list(discover(Path("fifo.py"), project.folder, OWN).notices) == [
        "fifo.py is left out: it is a FIFO"
    ]


@pytest.mark.parametrize("annotation", [r"'\0'", r"'\ud800'", f"'{'(' * 1000}'", f"'{'-' * 50_000}a'"])
def test_an_annotation_that_is_no_source_declares_no_size(project, annotation):
    project.write("m.py", f"def f(xs: {annotation}):\n    for x in xs: pass\n")
    assert set(tasks(project)) == {("cover", "m.py")}


@pytest.mark.parametrize("name", ["a" * 5_000, "loop"])
def test_a_name_that_no_file_has_is_not_there(project, name):
    (project.folder / "loop").symlink_to("loop")
    with pytest.raises(UntrodError, match="there is no"):
        tasks(project, name)


def test_a_single_file_and_one_that_is_not_there(project):
    project.write("a.py", "def f(): ...\n")
    project.write("b.py", "def f(): ...\n")
    assert set(tasks(project, "a.py")) == {("cover", "a.py")}
    with pytest.raises(UntrodError, match="there is no"):
        tasks(project, "c.py")
