"""Programs run as nobody, with limits; and nothing of them is left."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from untrod.core.errors import UntrodError
from untrod.engines.cover.native.stage import Stage
from untrod.engines.cover.native.verdict import crash_of
from untrod.runtime.processes import TREE

PROGRAM = r"""
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static void *forever(void *given) { for (;;) pause(); }
int main(int n, char **v) {
  char in[64]; ssize_t k = read(0, in, sizeof in);
  if (!strcmp(v[1], "echo")) { write(1, in, k); fprintf(stderr, "%s %d", v[0], n); return 7; }
  if (!strcmp(v[1], "spin")) for (;;) ;
  if (!strcmp(v[1], "defy")) { signal(SIGPROF, SIG_IGN); signal(SIGXCPU, SIG_IGN); for (;;) ; }
  if (!strcmp(v[1], "bomb")) for (;;) fork();
  if (!strcmp(v[1], "stop")) raise(SIGSTOP);
  if (!strcmp(v[1], "kill")) { kill(0, SIGKILL); }
  if (!strcmp(v[1], "parent")) return kill(getppid(), SIGKILL) ? 3 : 0;
  if (!strcmp(v[1], "large")) { int f = open("f", O_WRONLY | O_CREAT, 0600); while (write(f, v[1], 5)) ; }
  if (!strcmp(v[1], "mutter")) {
    for (int i = 0; i < 1 << 19; i++) write(2, "hmm", 3);
    write(2, "end", 3);
    abort();
  }
  if (!strcmp(v[1], "sleep")) { sleep(1000); }
  if (!strcmp(v[1], "fork")) {
    for (int i = 0; i < 3; i++) if (!fork()) { setsid(); for (;;) pause(); }
    return 0;
  }
  if (!strcmp(v[1], "thread")) {
    pthread_t thread;
    pthread_create(&thread, 0, forever, 0);
    if (n > 2) pthread_exit(0);
    return 6;
  }
  if (!strcmp(v[1], "crash")) raise(SIGSEGV);
  if (!strcmp(v[1], "tty")) { char c; int t = open("/dev/tty", O_RDONLY); return t < 0 ? 3 : read(t, &c, 1); }
  if (!strcmp(v[1], "write")) {
    int f = open(v[2], O_WRONLY | O_CREAT, 0600);
    return f < 0 ? 4 : (write(f, "x", 1), 5);
  }
  if (!strcmp(v[1], "memory")) { char *p = malloc(3ul << 30); return p ? 1 : 2; }
  if (!strcmp(v[1], "flood")) for (;;) puts("yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy");
  if (!strcmp(v[1], "env")) return getenv(v[2]) == 0;
  if (!strcmp(v[1], "uid")) return getuid() == 0;
  if (!strcmp(v[1], "file")) { FILE *f = fopen(v[2], "r"); return f ? fgetc(f) : 99; }
  if (!strcmp(v[1], "litter")) {
    mkfifo("pipe", 0); symlink("/etc", "link");
    mkdir("closed", 0777); mkdir("closed/inner", 0); chmod("closed", 0);
    chdir(getenv("GCOV_PREFIX"));
    mkdir("folder.gcda", 0); symlink(v[2], "link.gcda"); mkfifo("pipe.gcda", 0600); mkdir("x", 0777);
    chdir("x");
    for (int i = 0; i < 1500; i++) { mkdir("deep", 0777); chdir("deep"); }
    return 8;
  }
  if (!strcmp(v[1], "count")) {
    int found = 0; DIR *d = opendir(v[2]);
    while (readdir(d)) found++;
    return found - 2;
  }
  if (!strcmp(v[1], "gone")) { chdir(".."); return rmdir("work") || rename("counts", "moved"); }
  return 0;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("stage")
    (folder / "p.c").write_text(PROGRAM)
    subprocess.run(["gcc", "-w", "-O1", "-pthread", "-o", "p", "p.c"], cwd=folder, check=True)
    return folder / "p"


@pytest.fixture
def stage(program):
    made = Stage([program])
    yield made
    made.close()
    assert not made.folder.exists()


def run(stage, program, *argv: str, stdin: bytes = b"", seconds: float = 4.0, files=None):
    return stage.run(program, [a.encode() for a in argv], stdin, files or {}, seconds=seconds)


def test_arguments_input_status_and_output(stage, program) -> None:
    ran = run(stage, program, "echo", "b c", stdin=b"\x00\xffin")
    assert (ran.status, ran.stdout, ran.stderr) == (7, b"\x00\xffin", b"program 3")
    assert not ran.timed_out
    assert stage.cpu > 0


def test_endings(stage, program) -> None:
    assert run(stage, program, "crash").status == -11
    assert run(stage, program, "spin", seconds=0.2).timed_out
    assert run(stage, program, "sleep", seconds=0.1).timed_out
    assert run(stage, program, "tty").status == 3
    assert run(stage, program, "echo").status == 7  # and it goes on


def test_who_ignores_the_limits_is_stopped_too(stage, program) -> None:
    assert run(stage, program, "defy", seconds=0.2).timed_out
    assert run(stage, program, "stop", seconds=0.1).timed_out
    ran = run(stage, program, "kill")
    assert (ran.status, ran.timed_out) == (-9, False)


def test_processes_are_bounded(stage, program) -> None:
    ran = run(stage, program, "bomb", seconds=0.1)
    assert ran.timed_out
    assert 0 < ran.left < 200
    assert run(stage, program, "echo").status == 7


def test_files_are_bounded(stage, program) -> None:
    crash = crash_of(run(stage, program, "large"))
    assert crash is not None
    assert crash.what == "writes a file of more than 16 MB"


def test_of_much_output_the_end_is_kept(stage, program) -> None:
    ran = run(stage, program, "mutter")
    assert ran.status == -6
    assert ran.stderr.endswith(b"hmmend")


def test_memory_and_output_are_bounded(stage, program) -> None:
    assert run(stage, program, "memory").status == 2
    flood = run(stage, program, "flood", seconds=0.3)
    assert flood.timed_out
    assert len(flood.stdout) <= 1 << 20


def test_what_a_program_starts_ends_with_it(stage, program) -> None:
    ran = run(stage, program, "fork")
    assert ran.left == 3
    children = Path(f"/proc/{stage.pid}/task/{stage.pid}/children").read_text().split()
    assert children == []


def test_what_a_program_starts_ends_with_untrod_too(stage, program) -> None:
    """However untrod ends: by the mark that all carry who descend from it."""
    assert stage.run(program, [b"env", TREE.encode()], b"", {}, seconds=2).status == 0


def test_threads_end_with_the_program_or_with_its_time(stage, program) -> None:
    assert run(stage, program, "thread").status == 6
    assert run(stage, program, "thread", "alone", seconds=0.2).timed_out
    assert run(stage, program, "echo").status == 7


def test_it_has_a_folder_of_its_own(stage, program, tmp_path) -> None:
    assert run(stage, program, "write", "left.txt").status == 5
    assert run(stage, program, "file", "left.txt").status == 99, "the next run finds nothing of the last"
    assert run(stage, program, "file", "data", files={"data": b"Q"}).status == ord("Q")


def test_whatever_it_leaves_is_gone_before_the_next_run(stage, program, tmp_path) -> None:
    (tmp_path / "secret").write_text("of somebody else")
    ran = run(stage, program, "litter", str(tmp_path / "secret"))
    assert (ran.status, ran.counts) == (8, {})
    assert run(stage, program, "count", ".").status == 0
    assert run(stage, program, "count", str(stage.folder / "counts")).status == 0


def test_it_may_take_its_folder_away(stage, program) -> None:
    run(stage, program, "gone")
    assert run(stage, program, "count", ".").status == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become nobody")
def test_it_is_nobody_and_cannot_write_elsewhere(stage, program, tmp_path) -> None:
    assert run(stage, program, "uid").status == 0
    assert run(stage, program, "parent").status == 3
    precious = tmp_path / "precious"
    precious.write_text("keep")
    assert run(stage, program, "write", str(precious)).status == 4
    assert precious.read_text() == "keep"


def test_a_launcher_whose_worker_is_gone_clears_up(program) -> None:
    stage = Stage([program])
    stage._process.stdin.close()
    stage._process.wait(10)
    assert not stage.folder.exists()


def test_a_launcher_that_was_killed_is_told_and_cleared_up(program) -> None:
    stage = Stage([program])
    os.kill(stage.pid, signal.SIGKILL)
    with pytest.raises(UntrodError, match=r"is gone: it was killed"):
        run(stage, program, "echo")
    assert not stage.folder.exists()
    stage.close()


def test_a_program_may_have_any_name(program, tmp_path) -> None:
    for name in ("work", "counts", "a b"):
        shutil.copy(program, tmp_path / name)
        stage = Stage([tmp_path / name])
        assert run(stage, tmp_path / name, "echo").status == 7
        stage.close()
