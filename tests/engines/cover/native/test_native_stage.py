"""Programs run as nobody, with limits; and nothing of them is left."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from untrod.engines.cover.native.stage import Stage

PROGRAM = r"""
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
  if (!strcmp(v[1], "uid")) return getuid() == 0;
  if (!strcmp(v[1], "file")) { FILE *f = fopen(v[2], "r"); return f ? fgetc(f) : 99; }
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


def test_threads_end_with_the_program_or_with_its_time(stage, program) -> None:
    assert run(stage, program, "thread").status == 6
    assert run(stage, program, "thread", "alone", seconds=0.2).timed_out
    assert run(stage, program, "echo").status == 7


def test_it_has_a_folder_of_its_own(stage, program, tmp_path) -> None:
    assert run(stage, program, "write", "left.txt").status == 5
    assert run(stage, program, "file", "left.txt").status == 99, "the next run finds nothing of the last"
    assert run(stage, program, "file", "data", files={"data": b"Q"}).status == ord("Q")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become nobody")
def test_it_is_nobody_and_cannot_write_elsewhere(stage, program, tmp_path) -> None:
    assert run(stage, program, "uid").status == 0
    precious = tmp_path / "precious"
    precious.write_text("keep")
    assert run(stage, program, "write", str(precious)).status == 4
    assert precious.read_text() == "keep"


def test_a_launcher_whose_worker_is_gone_clears_up(program) -> None:
    stage = Stage([program])
    stage._process.stdin.close()
    stage._process.wait(10)
    assert not stage.folder.exists()
