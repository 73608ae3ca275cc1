"""The emulation: what is run once, and how a program ends."""

from __future__ import annotations

import signal
import subprocess

import pytest

from untrod.testing.executors import explore

STARTS_SLOWLY = """
static volatile int table[1000];
int main(int n, char **v) {
  for (int i = 0; i < 1000; i++) table[i] = i;
  return v[1][0] == 'a' ? table[3] : 5;
}
"""
READS_LATE = """
#include <unistd.h>
static volatile int table[1000];
int main(int n, char **v) {
  char in = 0;
  for (int i = 0; i < 1000; i++) table[i] = i;
  long got = read(0, &in, 1);
  return got ? in == 'a' ? table[3] : 5 : 7;
}
"""


def walk(made, *values: bytes):
    return made.advance(made.initial(), made.follow(values), max_branches=1_000)


def test_what_comes_before_the_first_look_at_an_argument_is_run_once(executor) -> None:
    made = executor(STARTS_SLOWLY, (1,))
    assert [walk(made, text, b"").value[0] for text in (b"a", b"b", b"a")] == [3, 5, 3]
    assert made.counts["instructions"] < 3 * 1_000


def test_what_comes_before_the_first_look_at_standard_input_is_run_once(executor) -> None:
    made = executor(READS_LATE, stdin=1)
    assert [walk(made, text).value[0] for text in (b"a", b"b", b"", b"a")] == [3, 5, 7, 3]
    assert made.counts["instructions"] < 4 * 1_000


def test_blocks_of_the_start_belong_to_every_walk(executor) -> None:
    made = executor(STARTS_SLOWLY, (1,))
    for text in (b"a", b"b"):
        walk(made, text, b"")
        assert made.last is not None
        assert made.image.entry in made.last.blocks


CRASHES = {
    "a load from nowhere": ("return *(char *)(v[1][0] * 0x10000000L);", signal.SIGSEGV),
    "a store to nowhere": ("*(char *)(v[1][0] * 0x10000000L) = 1;", signal.SIGSEGV),
    "a store to a constant": ('*((volatile char *)"constant" + (v[1][0] & 3)) = 1;', signal.SIGSEGV),
    "an entry of a table far away": (
        "static volatile int t[4]; return t[*v[1] * 9000000L];",
        signal.SIGSEGV,
    ),
    "a jump to 0": ("((void (*)(void))(long)(v[1][0] - 'a'))();", signal.SIGSEGV),
    "a jump to data": ("if (v[1][0]) ((void (*)(void))(v[1]))();", signal.SIGSEGV),
    "a jump that is not canonical": ("((void (*)(void))((long)v[1][0] << 56))();", signal.SIGSEGV),
    "a division by zero": ("return 7 / (v[1][0] - 'a');", signal.SIGFPE),
    "a quotient too large": ("volatile int x = -2147483647 - 1; return x / (v[1][0] - 'b');", signal.SIGFPE),
    "a trap": ("if (v[1][0] == 'a') __builtin_trap();", signal.SIGILL),
    "a breakpoint": ("if (v[1][0] == 'a') __asm__(\"int3\");", signal.SIGTRAP),
    "a privileged instruction": ("if (v[1][0] == 'a') __asm__(\"hlt\");", signal.SIGSEGV),
    "recursion without end": (
        "volatile char b[4000]; b[n] = *v[1]; return main(1, v) + b[n];",
        signal.SIGSEGV,
    ),
}


@pytest.mark.parametrize("what", CRASHES)
def test_a_crash_ends_the_path_by_the_signal_that_it_is_for_real(compiled, executor, what) -> None:
    body, number = CRASHES[what]
    source = f"#include <unistd.h>\nint main(int n, char **v) {{ {body} return 0; }}"
    real = subprocess.run([compiled(source), "a"], check=False, timeout=60)
    result = walk(executor(source, (1,)), b"a", b"")
    assert (result.status, result.value[0], real.returncode) == ("done", -number, -number)


WRITES_CODE = r"""
__asm__(".section .hot,\"awx\",@progbits\n.globl hot\nhot: mov $1, %eax\n ret\n.text");
extern unsigned char hot[];
int main(int n, char **v) {
  int (*function)(void) = (void *)hot;
  BEFORE
  hot[1] = v[1][0];
  return v[1][1] == 'c' ? function() : 0;
}
"""
LAST_OF_A_PAGE = r"""
__asm__(".section .last,\"ax\",@progbits\n.balign 4096\n.skip 4093\n.globl last\n"
        "last: mov %edi, %eax\n ret\n.text");
extern unsigned char last[];
int main(int n, char **v) { return ((int (*)(int))last)(v[1][0] == 'a') + 2; }
"""
HUGE = """
#include <sys/mman.h>
int main(int n, char **v) {
  if (v[1][0] != 'a') return 1;
  if (mmap(0, 100L << 30, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) return 2;
  for (;;) {
    char *p = mmap(0, 1 << 20, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 1 << 20; i += 4096) p[i] = 1;
  }
}
"""
LEAST = """
int main(int n, char **v) {
  int dividend = v[1][0] << 24, divisor = (signed char)v[1][1];
  return divisor ? dividend / divisor == 3 : 4;
}
"""
DEEP = """
int main(int n, char **v) {
  unsigned x = v[1][0];
  for (int i = 0; i < 500; i++) x = (x * 3 + (x >> 5)) ^ v[1][1];
  return x == 77;
}
"""
CPUID = """
int main(int n, char **v) {
  int a = v[1][0];
  __asm__("cpuid" : "+a"(a) : : "rbx", "rcx", "rdx");
  return a == 3;
}
"""
AVX = "int main(int n, char **v) { if (*v[1] == 'a') __asm__(\"vpxor %ymm0, %ymm0, %ymm0\"); return 0; }"


@pytest.mark.parametrize("before", ["", "function();"])
def test_code_that_is_written_breaks_a_path_off(executor, before) -> None:
    made = executor(WRITES_CODE.replace("BEFORE", before), (2,))
    for text in (b"ac", b"bc", b"ac"):
        result = walk(made, text, b"")
        assert (result.status, result.reason) == ("limit", "cut off: the program changes its own code")


def test_an_instruction_may_be_the_last_of_the_code(executor) -> None:
    made = executor(LAST_OF_A_PAGE, (1,))
    assert [walk(made, text, b"").value[0] for text in (b"a", b"b")] == [3, 2]


def test_too_much_memory_breaks_a_path_off(executor) -> None:
    made = executor(HUGE, (1,))
    result = walk(made, b"a", b"")
    assert (result.status, result.reason) == ("limit", "cut off: too much memory")
    assert walk(made, b"b", b"").value[0] == 1


def test_the_least_number_by_minus_one_is_found(executor) -> None:
    found = {result.value[0] for result in explore(executor(LEAST, (2,))) if result.status == "done"}
    assert found == {0, 4, -signal.SIGFPE}


@pytest.mark.parametrize(
    ("source", "name"), [(DEEP, "results of too many operations"), (CPUID, "cpuid"), (AVX, "vpxor")]
)
def test_what_is_not_followed_is_counted(executor, source, name) -> None:
    made = executor(source, (2,))
    assert walk(made, b"ab", b"").status == "done"
    assert made.machine.decoder.unsupported[name]
