"""Programs are built as a person would build them in the project's folder, and nothing is left there."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from untrod.core.errors import UntrodError
from untrod.engines.cover.native.branch_map import NativeBranchMap
from untrod.engines.cover.native.build import Programs, build
from untrod.engines.cover.native.target import NativeTarget
from untrod.symbolic.native.fields import Fields

MAIN = """
#include "own.h"
#include <stdio.h>
int more(int);
int main(int n, char **v) { if (n > 1) puts(TEXT); return more(n); }
"""
FLAGS = ("-I", "in clude", '-DTEXT="a b"', "src/more.c", "-lm")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    for name, text in {
        "src/-my prog.c": MAIN,
        "in clude/own.h": "#define OWN 7\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "src" / "more.c").write_text('#include "own.h"\nint more(int n) { return n > 2 ? OWN : 0; }')
    return folder


def built(project: Path, *, also: tuple[str, ...] = (), flags: tuple[str, ...] = FLAGS) -> Programs:
    folder = project.parent / "built"
    folder.mkdir()
    return build(NativeTarget("src/-my prog.c", Fields((1,)), also, flags), project, folder, "undefined")


def files(folder: Path) -> set[str]:
    return {os.path.join(at, name) for at, _, names in os.walk(folder) for name in names}


def test_paths_in_flags_are_those_of_the_project(project: Path) -> None:
    before = files(project)
    programs = built(project)
    for program in (programs.emulated, programs.covered, programs.checked):
        assert program is not None
        ran = subprocess.run([program, "x", "y"], capture_output=True, check=False)
        assert (ran.returncode, ran.stdout) == (7, b"a b\n")
    assert files(project) == before
    branch_map = NativeBranchMap([project / "src" / "-my prog.c"], programs.notes)
    assert branch_map.total == 2


def test_branches_of_the_other_sources_count_if_named(project: Path) -> None:
    flags = tuple(flag for flag in FLAGS if flag != "src/more.c")
    programs = built(project, also=("src/more.c",), flags=flags)
    sources = [project / "src" / name for name in ("-my prog.c", "more.c")]
    assert NativeBranchMap(sources, programs.notes).total == 4


def test_warnings_do_not_matter(project: Path) -> None:
    (project / "src" / "-my prog.c").write_text("main(n) { if (n) return f(); }\nint f() { char *p = 1; }")
    assert built(project, flags=("-Wall",)).covered.is_file()


def test_the_compilers_complaint_is_told(project: Path) -> None:
    with pytest.raises(UntrodError, match=r"does not compile it: .*own\.h"):
        built(project, flags=("-DX",))
