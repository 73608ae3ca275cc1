"""System calls: the emulation answers as the kernel does that runs the tests; files keep what is symbolic."""

from __future__ import annotations

import signal
import subprocess

import pytest

from untrod.testing.executors import explore

NAMES = "errno fcntl signal stdio string unistd sys/mman sys/stat sys/syscall sys/uio"
HEADERS = "".join(f"#include <{name}.h>\n" for name in NAMES.split())
CALLS = r"""
read(0, b, -1); read(0, bad, 4); read(0, (void *)constant, 4); read(0, (void *)-1, 4); read(0, bad, 0);
read(99, b, 4); read(-1, b, 4); read(1, b, 4); read(g, b, 4); write(0, b, 4); write(h, b, 4);
write(1, b, -1); write(1, bad, 4); write(f, b, -1); write(f, bad, 4); write(f, bad, 0); write(1, far, 10);
lseek(f, -5, SEEK_SET); lseek(f, -50, SEEK_CUR); lseek(f, -6, SEEK_END); lseek(f, 0, 77); lseek(f, 0, -1);
lseek(f, 0, SEEK_END); lseek(0, 0, SEEK_SET); lseek(99, 0, SEEK_SET); lseek(f, 0x7fffffffffffffff, SEEK_CUR);
pread(f, b, 4, -3); pread(0, b, 4, 0); pread(g, b, 4, 0); pread(f, b, 64, 2); pread(f, b, 64, 200);
pread(f, b, -1, 0); pwrite(f, "x", 1, -1); pwrite(h, "x", 1, 0); pwrite(f, "x", 1, 10); pread(f, b, 64, 0);
readv(0, negative, 1); readv(0, two, -1); readv(0, two, 1025); readv(0, bad, 1); readv(0, two, 0);
readv(99, two, -1); writev(f, negative, 1); writev(f, two, -1); writev(f, bad, 1); writev(f, two, 1);
writev(f, two + 1, 1); readv(0, two, 2); readv(0, endless, 1);
ftruncate(f, -1); ftruncate(h, 1); ftruncate(0, 1); ftruncate(99, 1); truncate("none", 1);
ftruncate(f, 3); fstat(f, &st); st.st_size; ftruncate(f, 9); fstat(f, &st); st.st_size; pread(f, b, 64, 0);
syscall(SYS_fstat, f, bad); fstat(99, &st); syscall(SYS_stat, "made", bad); stat(bad, &st); stat("", &st);
open(bad, 0); open("", 0); open("", O_CREAT | O_RDWR, 0600); open("made", O_CREAT | O_EXCL | O_RDWR, 0600);
dup(99); dup2(f, -1); dup2(99, 5); dup2(f, f) - f; fcntl(f, F_DUPFD, -1); fcntl(99, F_GETFL);
fcntl(h, F_GETFL) & 3; fcntl(g, F_GETFL) & 3; close(-1); close(99); unlink(bad); unlink("none");
rename("none", "other"); rename("made", "other"); access("made", 0); rename("other", "made"); access(bad, 0);
MAP(0, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); MAP(-1, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
MAP(1L << 60, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); MAP(9, MAP_PRIVATE, 99, 0); MAP(9, MAP_PRIVATE, g, 0);
MAP(9, MAP_PRIVATE, 0, 0); MAP(9, MAP_PRIVATE, f, 7);
kill(getpid(), 0); kill(getpid(), 65); kill(getpid(), -1); kill(getpid(), SIGCHLD); syscall(SYS_tkill, -1, 9);
syscall(SYS_tkill, getpid(), 65); syscall(SYS_tgkill, -1, getpid(), 9); syscall(SYS_getcwd, bad, 99);
syscall(SYS_getcwd, b, 1); syscall(SYS_getrandom, bad, 9, 0); syscall(SYS_uname, bad);
syscall(SYS_clock_gettime, 0, bad); syscall(SYS_gettimeofday, 0, 0); syscall(SYS_getrlimit, 1, bad);
syscall(SYS_rt_sigaction, 5, bad, 0, 8); syscall(SYS_rt_sigaction, 5, 0, bad, 8); (long)signal(99, SIG_IGN);
signal(SIGUSR1, SIG_IGN) == SIG_DFL; raise(SIGUSR1); signal(SIGUSR1, SIG_DFL) == SIG_IGN;
g = open("made", O_RDWR | O_APPEND); write(g, "end", 3); pwrite(g, "!", 1, 0); lseek(g, 0, SEEK_CUR);
lseek(g, 0, SEEK_SET); read(g, b, 64); g = open("made", O_RDWR | O_TRUNC); read(g, b, 64);
lseek(g, 5, SEEK_SET); write(g, "x", 1); lseek(g, 0, SEEK_SET); read(g, b, 64); read(0, b, 64)
"""
ANSWERS = (
    HEADERS
    + """
#define MAP(size, flags, fd, offset) (long)mmap(0, size, PROT_READ, flags, fd, offset)
static char b[64]; static const char constant[8] = "const"; static struct stat st;
static void say(const char *text, long answer) {
  printf("%s = %ld %d ", text, answer, answer == -1 ? errno : 0);
  for (int i = 0; i < 16; i++) printf("%02x", (unsigned char)b[i]);
  puts("");
}
int main(int n, char **v) {
  void *bad = (void *)1, *far = (void *)(1L << 43);
  struct iovec negative[] = {{b, -1}}, two[] = {{bad, 1}, {b, 3}}, endless[] = {{b, 0x7fffffffffffffff}};
  int f = open("made", O_RDWR | O_CREAT | O_TRUNC, 0600), g = open("made", O_WRONLY), h = open("made", 0);
  write(f, "hello", 5);
  CALLS
  return v[1][0] == 'x';
}
"""
)
ROUND_TRIP = (
    HEADERS
    + """
int main(int n, char **v) {
  char b[8] = {0};
  int f = open("made", O_RDWR | O_CREAT | O_TRUNC, 0600);
  WAY
  return got != 2 ? 9 : b[0] == 'o' ? b[1] == 'k' ? 3 : 2 : 1;
}
"""
)
AGAIN = "lseek(f, 0, 0); long got = read(f, b, 8);"
WAYS = {
    "close and open": 'write(f, v[1], 2); close(f); f = open("./made", 0); long got = read(f, b, 8);',
    "lseek": f"write(f, v[1], 2); {AGAIN}",
    "pwrite and pread": "pwrite(f, v[1], 2, 40); long got = pread(f, b, 8, 40);",
    "append": """write(f, "x", 1); int g = open("made", O_APPEND | O_WRONLY); write(g, v[1], 2);
        lseek(f, 1, 0); long got = read(f, b, 8);""",
    "vectors": """struct iovec p[] = {{v[1], 1}, {v[1] + 1, 1}}, q[] = {{b, 1}, {b + 1, 7}};
        writev(f, p, 2); lseek(f, 0, 0); long got = readv(f, q, 2);""",
    "mmap": "write(f, v[1], 2); long got = 2; memcpy(b, mmap(0, 2, PROT_READ, MAP_PRIVATE, f, 0), 2);",
    "ftruncate": f'write(f, v[1], 2); write(f, "rest", 4); ftruncate(f, 2); {AGAIN}',
    "two descriptors": f"int g = dup(f); write(g, v[1], 1); write(f, v[1] + 1, 1); {AGAIN}",
    "rename": 'write(f, v[1], 2); rename("made", "other"); f = open("other", 0); long got = read(f, b, 8);',
}
OVERWRITTEN = (
    HEADERS
    + """
int main(int n, char **v) {
  char b[8] = {0};
  int f = open("made", O_RDWR | O_CREAT | O_TRUNC, 0600);
  write(f, v[1], 2);
  WAY
  lseek(f, 0, 0);
  read(f, b, 2);
  return b[0] == 'o' ? 2 : 1;
}
"""
)
INPUT_FILE = (
    HEADERS
    + """
int main(int n, char **v) {
  struct stat st;
  int f = open("data.bin", O_RDWR);
  if (fstat(f, &st) || st.st_size != 4) return 9;
  WAY
  char b[8] = {0};
  lseek(f, 0, 0);
  read(f, b, 8);
  return b[0] == 'Q' ? 5 : 6;
}
"""
)
NAMED = (
    HEADERS
    + """
int main(int n, char **v) {
  char b = 0;
  int f = open(v[1], O_RDONLY);
  if (f < 0) return 1;
  read(f, &b, 1);
  return b == 'Q' ? 3 : 2;
}
"""
)
SEEKS = (
    HEADERS
    + """
int main(int n, char **v) {
  char b = 0;
  int f = open("data.bin", 0);
  pread(f, &b, 1, v[1][0] & 3);
  return b == 'Q' ? 3 : 2;
}
"""
)
DIES = HEADERS + "int main(int n, char **v) { if (v[1][0] == 'a') { WAY; } return 0; }"


def statuses(results) -> set[int]:
    assert not [result for result in results if result.status == "diverged"]
    return {result.value[0] for result in results if result.status == "done"}


def walk(made, *values: bytes):
    return made.advance(made.initial(), made.follow(values), max_branches=1_000)


def test_answers_are_those_of_linux(compiled, executor, tmp_path) -> None:
    calls = [call.strip() for call in CALLS.replace("\n", " ").split(";")]
    quoted = [call.replace('"', "'") for call in calls]
    said = [f'errno = 0; say("{text}", {call});' for text, call in zip(quoted, calls, strict=True)]
    source = ANSWERS.replace("CALLS", "\n".join(said))
    command = [compiled(source), "b"]
    real = subprocess.run(command, input=b"stdinput", capture_output=True, cwd=tmp_path, timeout=60)
    result = walk(executor(source, (1,), stdin=8), b"b", b"stdinput")
    assert real.returncode == 0
    assert result.status == "done"
    assert result.value[1].decode().splitlines() == real.stdout.decode().splitlines()


@pytest.mark.parametrize("way", WAYS)
def test_what_is_symbolic_stays_so_in_a_file(executor, way) -> None:
    assert statuses(explore(executor(ROUND_TRIP.replace("WAY", WAYS[way]), (2,)))) == {1, 2, 3}


OVER = ('pwrite(f, "zz", 2, 0);', "ftruncate(f, 0);", 'open("made", O_TRUNC | O_WRONLY);')


@pytest.mark.parametrize("way", OVER)
def test_what_is_written_over_is_symbolic_no_more(executor, way) -> None:
    made = executor(OVERWRITTEN.replace("WAY", way), (2,))
    assert statuses(explore(made)) == {1}


def test_a_file_of_the_input_may_be_shorter_and_may_be_written_over(executor) -> None:
    made = executor(INPUT_FILE.replace("WAY", ""), files=(("data.bin", 4),))
    assert statuses(explore(made)) == {5, 6}
    assert walk(made, b"", b"Q").value[0] == 9
    made = executor(INPUT_FILE.replace("WAY", 'pwrite(f, "Q", 1, 0);'), files=(("data.bin", 4),))
    assert statuses(explore(made)) == {5}
    made = executor(INPUT_FILE.replace("WAY", 'unlink("data.bin");'), files=(("data.bin", 4),))
    assert statuses(explore(made)) == {5, 6}


def test_a_name_that_is_symbolic_may_be_that_of_a_file(executor) -> None:
    assert statuses(explore(executor(NAMED, (4,), files=(("d.x", 1),)))) == {1, 2, 3}


def test_an_offset_that_is_symbolic_is_decided_on(executor) -> None:
    made = executor(SEEKS, (1,), files=(("data.bin", 4),))
    assert statuses(explore(made)) == {2, 3}


@pytest.mark.parametrize(
    ("way", "number"),
    [
        ("raise(SIGRTMIN + 3)", 38),  # musl keeps three for itself
        ("kill(getpid(), 64)", 64),
        ("syscall(SYS_tgkill, getpid(), getpid(), 40)", 40),
        ("raise(SIGABRT)", signal.SIGABRT),
    ],
)
def test_signals_end_the_program_also_those_without_a_name(executor, way, number) -> None:
    made = executor(DIES.replace("WAY", way), (1,))
    assert walk(made, b"a", b"").value[0] == -number
    assert walk(made, b"b", b"").value[0] == 0


@pytest.mark.parametrize(
    "way",
    [
        "for (;;) write(1, v, 4096)",
        'int f = open("x", O_CREAT | O_WRONLY); for (;;) write(f, v, 4096)',
        'int f = open("x", O_CREAT | O_WRONLY); lseek(f, 1L << 40, 0); write(f, v, 1)',
        'ftruncate(open("x", O_CREAT | O_WRONLY), 1L << 40)',
        'int f = open("x", O_CREAT | O_WRONLY); for (;;) pwrite(f, v, 4096, 0)',
    ],
)
def test_too_much_output_breaks_a_path_off(executor, way) -> None:
    made = executor(DIES.replace("WAY", way), (1,))
    result = walk(made, b"a", b"")
    assert (result.status, result.reason) == ("limit", "cut off: too much output")
    assert walk(made, b"b", b"").status == "done"
