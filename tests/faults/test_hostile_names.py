"""3,000 tests written for code whose every name was chosen by an enemy: folders, modules, classes, values.

From live objects, over what a worker sends, into a file on disk. Each is read back as Python reads it: what
does not come from untrod's own templates stands in a string, in a comment, or not there at all.
"""

from __future__ import annotations

import ast
import dataclasses
import enum
import io
import json
import os
import re
import subprocess
import sys
import tokenize
from collections import namedtuple
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from untrod.core.shapes import Malformed
from untrod.output.cases import Do, KnownFailure, Let, Raises, Returns, TestCase
from untrod.output.pytest_writer import Origin, writable, write_tests
from untrod.source.codec import decode, encode
from untrod.source.literals import express, importable
from untrod.source.nodes import Atom, Call, Member, Node, Ref

PARTS, EACH = 10, 300
MARK = "owned"
"""Is part of every hostile text, and of nothing that untrod writes."""
BREAKS = ("\n", "\r", "\r\n", "\x0b", "\x0c", "\x85", "\u2028", "\u2029", "\\\n", "\\", "\t", "\x00")
QUOTES = ("'", '"', "'''", '"""', "{}", "{0}", "%s", "#", ";", ":", "(", ")", "]", "\\x27", "\\N{BULLET}")
UNSEEN = (
    "\ud800",
    "\udc80",
    "\udcff",
    "\u202e",
    "\u2066",
    "\ufeff",
    "\x1b[2J",
    "\x1b]0;x\x07",
    "\x9b",
    "\u200b",
)
CODE = (
    "; import owned #",
    "\nowned()\n",
    '"); owned(); ("',
    "'''\nowned()\n'''",
    '"""\nowned()\n"""',
    "\\",
    "{owned()}",
    " = owned",
    "\n# -*- coding: utf-7 -*-\n+AAo-owned()",
    "\n    owned()",
    "lambda: owned",
    " coding=utf-7 ",
    "@owned\n",
)
LIKE_NAMES = (
    "\ufb01owned",
    "owned\u200b",
    "classowned.",
    "\uff4fwned-owned",
    "\u0661owned",
    "owned.",
    ".owned",
)


def hostile(random: Random, least: int = 1) -> str:
    """No identifier, whatever it is made of."""
    if random.random() < 0.1:
        return random.choice(LIKE_NAMES)
    pool = random.choice((BREAKS, QUOTES, UNSEEN, CODE, (*BREAKS, *QUOTES, *UNSEEN, *CODE)))
    text = "".join(random.choices(pool, k=random.randint(least, 5)))
    text = text.join((MARK, random.choice(("-", "!", " ", "'"))))
    return text * (random.randint(20, 500) if random.random() < 0.02 else 1)


def folder_name(random: Random) -> str:
    """As the file system allows: no slash, no null, 255 bytes, and surrogates only for bytes."""
    text = re.sub("[\ud800-\udc7f/\0]", "|", hostile(random))
    while len(os.fsencode(text)) > 200:
        text = text[:-1]
    return text if text.strip(".") else MARK


class Shop:
    """What the enemy defines, in a module of any name; only part of it has hostile names."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.module = ModuleType(self._name("shop"))
        sys.modules[self.module.__name__] = self.module

    def close(self) -> None:
        del sys.modules[self.module.__name__]

    def _name(self, usual: str) -> str:
        return hostile(self._random) if self._random.random() < 0.3 else usual

    def _place(self, kind: Any, usual: str) -> Any:
        name = self._name(usual)
        kind.__module__, kind.__qualname__ = self.module.__name__, name
        setattr(self.module, name, kind)
        return kind

    def error(self) -> type[Exception]:
        return self._place(type("Refused", (Exception,), {}), "Refused")

    def values(self) -> Iterator[Any]:
        text = hostile(self._random)
        yield from (text, [text, {text: (text, 1)}], {text, "a"}, text.encode("utf-8", "surrogatepass"))
        point = self._place(dataclasses.make_dataclass("Point", ["x"]), "Point")
        yield point(text)
        field = dataclasses.fields(point)[0]
        field.name = self._name("x")
        setattr(point, field.name, text)
        yield point(text)
        pair = self._place(namedtuple("Pair", ["a"]), "Pair")
        pair._fields = (self._name("a"),)
        yield pair(text)
        colour = self._place(enum.Enum("Colour", {self._name("RED"): text}), "Colour")
        yield next(iter(colour))

    def case(self) -> TestCase:
        random, kind = self._random, self._place(type("Cart", (), {}), "Cart")
        values = [sent(node) for value in self.values() if (node := express(value)) is not None]
        ref = importable(kind) or Ref(self.module.__name__, self._name("Cart"))
        error = importable(self.error()) or Ref("builtins", "ValueError")
        call = Call(
            random.choice((ref, Member(Atom("cart"), self._name("add")))),
            tuple(random.sample(values, min(2, len(values)))),
            ((self._name("size"), Atom("1")),),
        )
        expectation = random.choice(
            (Returns(random.choice([*values, Atom("None")])), Raises(error, hostile(random)))
        )
        failure = random.choice((None, KnownFailure(hostile(random), error), KnownFailure(hostile(random))))
        given = (Let(self._name("cart"), Call(ref)), Do(call, random.choice((None, error))))
        return TestCase(
            hostile(random),
            call,
            expectation,
            given,
            failure,
            fixtures=(self._name("tmp_path"),),
            finding=hostile(random),
            remark=hostile(random),
        )


def sent(node: Node) -> Node:
    """As it arrives from a worker. Nothing that was made there is refused here."""
    return decode(json.loads(json.dumps(encode(node))))


STATEMENTS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.Assign, ast.Assert, ast.With, ast.Expr)
EXPRESSIONS = (ast.Call, ast.Name, ast.Attribute, ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set)
EXPRESSIONS += (ast.Compare, ast.BinOp, ast.UnaryOp, ast.Subscript)


def check(path: Path) -> ast.Module:
    raw = path.read_bytes()
    tree = ast.parse(raw)
    for node in ast.walk(tree):
        assert not isinstance(node, ast.stmt) or isinstance(node, STATEMENTS), ast.dump(node)
        assert not isinstance(node, ast.expr) or isinstance(node, EXPRESSIONS), ast.dump(node)
        if isinstance(node, ast.FunctionDef) and re.fullmatch(r"test_[a-z0-9_]{1,70}", node.name):
            continue  # words of a title, joined
        if not isinstance(node, ast.Constant):  # nothing but a string holds what the enemy wrote
            fields = [each for _, each in ast.iter_fields(node) if isinstance(each, str)]
            assert not any(MARK in each for each in fields), fields
    for token in tokenize.tokenize(io.BytesIO(raw).readline):
        if token.type == tokenize.COMMENT:
            assert token.string.isascii()
            assert token.string.isprintable()
            assert not re.search(r"coding[=:]", token.string)
    assert all(char.isprintable() for line in raw.decode().split("\n") for char in line)
    return tree


@pytest.mark.parametrize("part", range(PARTS))
def test_no_name_becomes_code(part: int, tmp_path: Path) -> None:
    written = refused = 0
    outside = tmp_path / "outside"
    outside.mkdir()
    for number in range(EACH):
        random = Random(f"hostile names {part} {number}")
        root = tmp_path / f"{number}" / folder_name(random)
        tests, code = root / folder_name(random), root / folder_name(random)
        shop = Shop(random)
        try:
            good, odd = writable([shop.case(), shop.case()])
        finally:
            shop.close()
        origin = Origin(hostile(random), hostile(random), root, random.choice(((), (code,))))
        slug = random.choice((hostile(random), "../../outside/x", f"{outside}/x", "\0", "..", ""))
        for path in write_tests(tests, slug, good, origin):
            assert path.parent == tests
            assert re.fullmatch(r"test_[a-z0-9_]{1,70}\.py", path.name)
            functions = [node for node in check(path).body if isinstance(node, ast.FunctionDef)]
            assert len([each for each in functions if each.name.startswith("test_")]) == len(set(good))
            written += 1
        refused += len(odd)
        assert not list(outside.iterdir())
    assert written > EACH / 10  # else nothing was shown
    assert refused > EACH / 2


@pytest.mark.parametrize(
    "body",
    [
        ["atom", "owned()"],
        ["atom", "1\nowned()"],
        ["atom", "9" * 5_000],
        ["ref", "shop", "A; import owned #"],
        ["ref", "shop", "A\n"],
        ["ref", "shop", ""],
        ["call", ["atom", "eval"], [["text", "owned()"]], []],
        ["call", ["atom", "str"], [], [["a=owned", ["text", ""]]]],
        ["display", "[owned,", []],
        ["member", ["text", ""], "owned"],
    ],
    ids=str,
)
def test_code_of_a_worker_is_no_value(body: Any) -> None:
    with pytest.raises(Malformed):
        decode(body)


FOLDERS = {
    "a newline and quotes": b"new\nimport owned\n'\"" + b"'" * 3,
    "a bracket and a variable": b"a[0-9]{x}$HOME`id`%s",
    "an option": b"--help",
    "a dash": b"-x",
    "bytes that are no text": b"caf\xe9 \xff\x1b[31m\x9b\x07",
    "a comment and colons": b"# coding: utf-7 +AAo-owned()::b",
}
BOX = (
    "def price(amount: int) -> int:\n    if amount > 7:\n        raise KeyError(amount)\n    return amount\n"
)
GIVEN = """
from hypothesis import given, strategies as st

class TestPrice:
    @given(st.integers())
    def test_it(self, n):
        assert n < 100
"""


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_of_any_name_is_hunted_through(name: str, tmp_path: Path) -> None:
    """The project's own folder, and one in it, have the name. Who stands in the way says so in a line."""
    project = tmp_path / os.fsdecode(FOLDERS[name])
    inner = project / os.fsdecode(FOLDERS[name])
    inner.mkdir(parents=True)
    (inner / "box.py").write_text(BOX)
    (inner / "test_box.py").write_text(GIVEN)
    done = untrod(
        project, "hunt", "--budget", "400", "--workers", "1", "--no-coverage", "--junit", "junit.xml"
    )

    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert "a bug in untrod" not in done.stdout + done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == [project.name]
    assert {path.name for path in project.iterdir()} == {inner.name, ".untrod", "tests", "junit.xml"}
    assert "nothing could be run" not in done.stderr
    tests = sorted((project / "tests" / "untrod").iterdir())
    assert [path.name for path in tests] == ["test_box_cover.py", "test_box_falsified.py"]
    for path in tests:
        check(path)
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."],
        cwd=tests[0].parent,
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
    assert "passed: " in untrod(project, "replay", "./tests/untrod/test_box_cover.py").stdout


def untrod(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "untrod", *words],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        timeout=300,
        check=False,
    )
