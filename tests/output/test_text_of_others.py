"""What folders, modules, classes and messages are called never becomes code of a written test."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from untrod.engines.cover.case import CallResult, Case, Input, Step
from untrod.engines.cover.emit import as_test, fatal
from untrod.output.cases import (
    Do,
    Each,
    IsTrue,
    KnownFailure,
    Let,
    Passes,
    Put,
    Raises,
    Returns,
    TestCase,
    Within,
)
from untrod.output.pytest_writer import Origin, render_file, writable, write_tests
from untrod.source.nodes import Atom, Call, Member, Ref, Text

BREAKS = ("\n", "\r", "\r\n", "\x0b", "\x0c", "\x85", "\u2028", "\\\n", "\t", " ")
QUOTES = ("'", '"', "'''", '"""', "#", ";", "\\", "{}", "{owned}", "%s", "%", "$", ")", "(", "=1", "//", "-")
UNSEEN = ("\ud800", "\udcff", "\u202e", "\u2066", "\x1b[31m", "\x07")
CODE = (
    "owned()",
    "\nimport owned\n",
    "; import owned #",
    '"); owned(); ("',
    "'); owned(); ('",
    "+AAo-owned()",
)
WORDS = ("coding: utf-7", "coding=utf-7", "a", "Б", "ﬁ", "class", "lambda", "owned")
PIECES = (*BREAKS, *QUOTES, *UNSEEN, *CODE, *WORDS)
STATEMENTS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.Assign, ast.Assert, ast.With, ast.Expr)
STATEMENTS += (ast.Delete, ast.Raise, ast.Pass)


def hostile(random: Random, *, path: bool = False) -> str:
    text = "".join(random.choices(PIECES, k=random.randint(1, 6)))
    text = f"{text}{random.choice(';# ')}owned"  # never an identifier, always to be recognised
    return text.replace("/", "|").replace("\ud800", "\udcff") if path else text


def names_in(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.Attribute(attr=name):
                yield name
            case ast.FunctionDef(name=name) if not re.fullmatch("test_[a-z0-9_]+", name):
                yield name
            case ast.keyword(arg=str(name)):
                yield name
            case ast.alias(name=name, asname=other):
                yield f"{name} {other}"
            case ast.ImportFrom(module=module):
                yield str(module)


def only_what_was_meant(source: str) -> ast.Module:
    """As Python reads the file: with its declaration of an encoding, if there is one."""
    tree = ast.parse(source.encode())
    assert not [name for name in names_in(tree) if "owned" in name]
    for node in ast.walk(tree):
        assert not isinstance(node, ast.stmt) or isinstance(node, STATEMENTS)
        assert not isinstance(node, ast.Lambda | ast.NamedExpr | ast.Await | ast.Yield)
    return tree


def cases(random: Random) -> list[TestCase]:
    """Of all shapes. At each place a name of ours, and now and then one of theirs."""

    def some(usual: str) -> str:
        return hostile(random) if random.random() < 0.15 else usual

    ref = Ref(some("shop.cart"), some("Cart.total"))
    error = Ref(some("shop.errors"), some("Refused"))
    made = Call(Ref(some("shop.cart"), some("Cart")), (Text(hostile(random)),), ((some("size"), Atom("1")),))
    remark, reason = hostile(random), KnownFailure(hostile(random), error)
    place = Member(Atom("cart"), some("price"))
    given = Let(some("cart"), made)
    step = Input(f"{some('shop.cart')}:Cart", (Step(some("Cart")), Step(some("add"), (Text("x"),))))
    raised = (some("shop.errors"), some("Refused"))
    kept = Case(step, CallResult(raised, None, hostile(random), "", hostile(random), True))
    last = Step(some("price"), kind=random.choice(("get", "del")))
    got = Case(Input("shop.cart:Cart", (Step(some("Cart")), last)), CallResult(None, Text(hostile(random))))
    shown = Returns(Text(hostile(random)), some("repr"))
    return [
        TestCase(hostile(random), Call(ref, (made,)), shown, remark=remark),
        TestCase("b", Call(ref), Raises(error, remark), (Do(Put(place, made), error),), remark=remark),
        TestCase("c", Call(ref, (Atom("each"),)), IsTrue(), each=Each(some("each"), (Text(remark), made))),
        TestCase("d", Within(some("cart"), Call(error), some("value")), Passes(), (given,), finding=remark),
        TestCase("e", Call(ref), fixtures=(some("tmp_path"),), known_failure=reason, finding=remark),
        as_test(kept, hostile(random)),
        as_test(got, hostile(random)),
        fatal(step, hostile(random), hostile(random)),
    ]


@pytest.mark.parametrize("part", range(10))
def test_names_of_others_are_quoted_or_left_out(part: int, tmp_path: Path) -> None:
    written = 0
    for seed in range(300):
        random = Random(1000 * part + seed)
        root = tmp_path / hostile(random, path=True)
        below = hostile(random, path=True) * random.choice((1, 1, 6))
        origin = Origin(hostile(random), hostile(random), root, (root / below,))
        good, odd = writable(cases(random))
        assert all("is no name in Python" in why for _, why in odd)
        source = render_file(root / "tests" / hostile(random, path=True), good, origin)
        written += len(good)
        if good:
            tree = only_what_was_meant(source)
            tests = [each for each in tree.body if isinstance(each, ast.FunctionDef)]
            assert len(tests) == len(good)
            assert below in "".join(each.value for each in ast.walk(tree) if is_text(each))
    assert written > 300  # else nothing was shown


def is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_a_line_break_in_a_remark_stays_in_its_comment(tmp_path: Path) -> None:
    case = TestCase("a", Call(Ref("shop", "f")), remark="Looks like a bug in a\nimport owned\r\x0cb.py:1.")
    source = render_file(tmp_path, [case], Origin("cover", "shop", tmp_path))

    assert r"# Looks like a bug in a\nimport owned\r\x0cb.py:1." in source
    only_what_was_meant(source)


@pytest.mark.parametrize("target", ["coding: utf-7 +AAo-owned()", "vim: fileencoding=utf-7 :\ncoding=utf-7"])
def test_a_header_declares_no_encoding(target: str, tmp_path: Path) -> None:
    case = TestCase("a", Call(Ref("shop", "f")))
    source = render_file(tmp_path, [case], Origin(target[:30], target, tmp_path))

    assert only_what_was_meant(source).body
    assert "coding:" not in source
    assert "coding=" not in source


def test_modules_that_are_keywords_are_loaded_by_name(tmp_path: Path) -> None:
    (tmp_path / "class.py").write_text("def f():\n    return 1\n")
    case = TestCase("a", Call(Ref("class", "f")), Returns(Atom("1")))
    origin = Origin("cover", "class.py", tmp_path, (tmp_path,))
    (path,) = write_tests(tmp_path / "tests", "class", [case], origin)

    assert 'importlib.import_module("class").f' in path.read_text()
    assert passes(path)


@pytest.mark.parametrize(
    ("name", "many"),
    [
        (b"caf\xe9 ' \" \\ #", 1),
        (b"caf\xe9 ' \" \\ #", 8),
        (b"new\nline; \x1b[31m", 1),
        (b"{x} %s ${HOME} ~", 1),
        (b"coding: utf-7", 8),
    ],
)
def test_a_folder_may_be_called_anything(name: bytes, many: int, tmp_path: Path) -> None:
    root = tmp_path / os.fsdecode(name)
    folder = root / os.fsdecode(name * many)[:80]
    folder.mkdir(parents=True)
    (folder / "shop.py").write_text("def total(*prices):\n    return sum(prices)\n")
    case = TestCase("total", Call(Ref("shop", "total"), (Atom("1"),)), Returns(Atom("1")), remark=str(folder))
    origin = Origin("cover", str(folder / "shop.py"), root, (folder,))
    (path,) = write_tests(root / "tests", "shop", [case], origin)

    only_what_was_meant(path.read_text(encoding="utf-8"))
    assert passes(path)


def passes(path: Path) -> bool:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", path.name]
    done = subprocess.run(command, capture_output=True, timeout=60, cwd=path.parent, check=False)
    return done.returncode == 0
