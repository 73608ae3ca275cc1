"""`untrod cover program.c`, as a person runs it."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

pytestmark = [
    pytest.mark.skipif(shutil.which("musl-gcc") is None, reason="musl-gcc is not installed"),
    pytest.mark.timeout(600),
]
PLAIN = """
#include <stdio.h>
#include <string.h>
int main(int n, char **v) {
  if (n > 1 && !strcmp(v[1], "ab")) { puts("yes"); return 3; }
  return 0;
}
"""


@pytest.fixture(autouse=True)
def _extras() -> None:
    pytest.importorskip("unicorn")
    pytest.importorskip("triton")


def test_a_suite_that_runs_and_a_corpus(project) -> None:
    project.write("prog.c", PLAIN)
    done = project.untrod(
        "cover", "prog.c", "--args", "1x3", "--no-chance", "--budget", "40", "--json", timeout=400
    )
    assert done.status == 0, done.err
    (finished,) = done.of("campaign-finished")
    assert finished["extra"]["covered"] >= 3
    (test,) = (project.folder / "tests" / "untrod").glob("test_prog_cover*.py")
    text = test.read_text()
    assert 'run(built("prog.c"), b"ab") == (3, b"yes\\n", b"")' in text
    assert "untrod" not in "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    corpus = list((project.folder / ".untrod" / "corpus" / "prog_cover").glob("*.args"))
    assert b"ab" in [path.read_bytes() for path in corpus]


def test_paths_in_flags_are_those_of_the_project(project, tmp_path) -> None:
    project.write(
        "src/prog.c",
        "#include <own.h>\nint main(int n, char **v) { if (v[1][0] == KEY) return 1; return 0; }",
    )
    project.write("my include/own.h", "#define KEY 'k'")
    options = ["--args", "1x1", "--cc-flags", "-I 'my include' -DX", "--budget", "20"]
    done = project.untrod("cover", "src/prog.c", *options, timeout=400)
    assert done.status == 0, done.err
    assert sorted(path.name for path in project.folder.glob("*.gc*")) == []
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", project.folder / "tests"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


def test_a_crash_is_a_finding_that_can_be_replayed(project) -> None:
    crash = "int main(int n, char **v) { if (v[1][0] == 66) *(volatile int *)0 = 1; return v[1][1] == 67; }"
    project.write("crash.c", crash)
    done = project.untrod(
        "cover", "crash.c", "--args", "1x2", "--no-chance", "--budget", "30", "--json", timeout=400
    )
    assert done.status == 1, done.err
    (found,) = done.of("finding")[:1]
    again = project.untrod("replay", found["finding"]["id"])
    assert again.status == 1
    assert "./crash B" in again.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["prog.c"], "symbolic bytes"),
        (["nothing.c", "--args", "1x2"], "no file nothing.c"),
        (["prog.c", "--args", "1x2", "--binary", "prog.c"], "needed twice"),
        (["prog.py", "--args", "1x2"], "for C programs"),
        (["prog.c", "--args", "1x2", "--shape", "f"], "no --shape"),
    ],
)
def test_mistakes_are_one_line(project, arguments, words) -> None:
    project.write("prog.c", PLAIN)
    project.write("prog.py", "def f(x: int): return x")
    done = project.untrod("cover", *arguments, "--budget", "5")
    assert done.status == 2
    assert words in done.err
    assert len(done.err.strip().splitlines()) == 1


def test_a_dynamic_binary_is_told_in_a_line(project) -> None:
    project.write("prog.c", PLAIN)
    subprocess.run(["gcc", "--coverage", "-o", "prog", "prog.c"], cwd=project.folder, check=True)
    options = ["--args", "1x2", "--binary", "prog", "--coverage-binary", "prog", "--budget", "5"]
    done = project.untrod("cover", "prog.c", *options)
    assert done.status == 2
    assert "linked dynamically" in done.err.strip().splitlines()[-1]
