"""Our reading of gcc's notes and counts says what gcov says."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from untrod.core.errors import UntrodError
from untrod.engines.cover.native.branch_map import NativeBranchMap
from untrod.engines.cover.native.notes import read_counts, read_notes

BRANCHY = """
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static jmp_buf back;
static inline int small(int x) { return x > 3 && x < 9 ? 1 : x ? 2 : 3; }
static int deep(int n) { if (n > 5) longjmp(back, n); return n ? deep(n + 1) : 0; }
static int never(int n) { while (n --> 0) if (n % 3 == 0 || n % 5 == 0) puts("x"); return n; }
int main(int c, char **v) {
  if (setjmp(back)) { puts("back"); exit(4); }
  for (int i = 1; i < c; i++) {
    switch (v[i][0]) {
      case 'a': puts("a"); break;
      case 'b': exit(2);
      case 'c': deep(v[i][1] == 'x');
      case 'd': do { if (strlen(v[i]) > 3 &&
                         v[i][1] == 'd') puts("dd"); } while (v[i]++[1]); break;
      default: printf("%d\\n", small(v[i][0] - '0'));
    }
  }
  return c > 4 ? never(c) : 0;
}
"""


@pytest.fixture(scope="module")
def branchy(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("branchy")
    (folder / "branchy.c").write_text(BRANCHY)
    subprocess.run(["gcc", "--coverage", "-O0", "-o", "branchy", "branchy.c"], cwd=folder, check=True)
    return folder


@pytest.mark.parametrize("words", [[], ["a", "4"], ["b"], ["cx"], ["dd", "ddddd"], ["1", "2", "9", "0", "a"]])
def test_branches_and_whether_they_were_taken(branchy: Path, words) -> None:
    for old in branchy.glob("*.gcda"):
        old.unlink()
    subprocess.run(["./branchy", *words], cwd=branchy, capture_output=True, check=False)
    (counts,) = branchy.glob("*.gcda")
    command = ["gcov", "-b", "--json-format", "--stdout", counts.name]
    told = json.loads(subprocess.run(command, cwd=branchy, capture_output=True, check=True).stdout)
    expected = {
        (line["line_number"], place): branch["count"] > 0
        for file in told["files"]
        if file["file"] == "branchy.c"
        for line in file["lines"]
        for place, branch in enumerate(line["branches"])
    }
    branch_map = NativeBranchMap([branchy / "branchy.c"], list(branchy.glob("*.gcno")))
    taken = branch_map.bits({counts.name: counts.read_bytes()})
    found = {(arc.start, arc.end): bool(taken >> bit & 1) for bit, arc in enumerate(branch_map.arcs)}
    assert found == expected
    assert branch_map.total == len(expected)
    assert len(branch_map.untaken(taken)) == sum(not was for was in expected.values())


def test_damaged_counts_are_refused(branchy: Path) -> None:
    subprocess.run(["./branchy", "a"], cwd=branchy, capture_output=True, check=False)
    (counts,) = branchy.glob("*.gcda")
    raw = counts.read_bytes()
    for wrong in (b"", b"nonsense" * 4, raw[:70]):
        with pytest.raises(ValueError, match=r"damaged|gcc"):
            read_counts(wrong)
    branch_map = NativeBranchMap([branchy / "branchy.c"], list(branchy.glob("*.gcno")))
    assert branch_map.bits({counts.name: b"junk"}) == 0


def test_notes_that_are_none(tmp_path) -> None:
    path = tmp_path / "x.gcno"
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(UntrodError, match="cannot be read"):
        read_notes(path)
