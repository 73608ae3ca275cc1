"""The tests of a C program are tried out as carefully as the program was run before."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from untrod.engines.cover.case import CallResult, Case, Input, Step
from untrod.engines.cover.native.emit import as_test, ends_badly
from untrod.engines.cover.native.target import NativeTarget
from untrod.output.cases import TestCase
from untrod.output.pytest_emit import Emitted, Tryout, emit_tests
from untrod.output.pytest_writer import Origin
from untrod.source.nodes import Atom, Display, Text
from untrod.symbolic.native.fields import Fields

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
TARGET = NativeTarget("prog.c", Fields((99,), 0))
PROGRAM = r"""
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int n, char **v) {
  if (!strcmp(v[1], "uid")) return getuid() == 0 ? 1 : 0;
  if (!strcmp(v[1], "memory")) return malloc(3ul << 30) ? 1 : 0;
  if (!strcmp(v[1], "spin")) for (;;) ;
  if (!strcmp(v[1], "heap")) { volatile char *p = malloc(2); return p[n] = 0; }
  int ends[2]; char byte;
  pipe(ends);
  if (fork()) return read(ends[0], &byte, 1) != 1;
  setsid();
  int f = open(v[1], O_WRONLY);
  dprintf(f, "%d", getpid());
  write(ends[1], "x", 1);
  for (;;) pause();
}
"""


def given(text: str) -> Input:
    return Input(TARGET.entry, (Step("main", (Text(text.encode()),)),))


def ends_with_zero(text: str) -> Case:
    value = Display("(", (Atom("0"), Text(b""), Text(b"")))
    return Case(given(text), CallResult(None, value, ""))


@pytest.fixture
def tried(tmp_path: Path):
    """`tried(*cases)`: what becomes of them."""
    (tmp_path / "prog.c").write_text(PROGRAM)
    origin = Origin("native", "prog.c", tmp_path)

    def emit(*cases: TestCase, allow: str = "") -> Emitted:
        tryout = Tryout(60, allow=frozenset(filter(None, [allow])))
        return emit_tests(tmp_path / "tests", "prog", cases, origin, tryout)

    return emit


def whole(emitted: Emitted) -> bool:
    """Nothing was dropped, and nothing expects less."""
    return not emitted.dropped and not any(case.weaker is None for case in emitted.cases)


def test_its_limits_are_those_of_the_campaign(tried) -> None:
    assert whole(tried(as_test(ends_with_zero("memory"), TARGET)))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become nobody")
def test_it_is_nobody(tried) -> None:
    assert whole(tried(as_test(ends_with_zero("uid"), TARGET)))


def test_what_it_leaves_is_killed(tried) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # nobody has to find the pipe
        told = Path(folder) / "told"
        os.mkfifo(told)
        told.chmod(0o666)
        reader = os.open(told, os.O_RDONLY | os.O_NONBLOCK)
        assert whole(tried(as_test(ends_with_zero(str(told)), TARGET), allow="write"))
        number = int(os.read(reader, 99))
        os.close(reader)
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_hangs_and_sanitizers(tried) -> None:
    flags = ("-fsanitize=address",)
    emitted = tried(
        ends_badly(given("spin"), TARGET, "hangs", "", hangs=True),
        ends_badly(given("heap"), TARGET, "overflow", "", flags=flags),
        ends_badly(given("uid"), TARGET, "does not fail at all", "", flags=flags),
    )
    assert [case.name_hint for case in emitted.cases] == ["prog heap ends well", "prog spin ends well"]
    assert ["XPASS" in dropped.reason for dropped in emitted.dropped] == [True]
