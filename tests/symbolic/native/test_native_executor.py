"""The protocol, kept by the native engine: what `untrod.testing.executors` asks of Python functions, in C."""

from __future__ import annotations

import time

import pytest

from untrod.core.errors import UntrodError
from untrod.symbolic.native.fields import Fields
from untrod.testing.executors import Always, explore, user_path

TRIANGLE = """
#include <stdio.h>
int main(int n, char **v) {
  unsigned char *s = (unsigned char *)v[1]; int a = s[0], b = s[1], c = s[2];
  if (!a || !b || !c) puts("none");
  else if (a + b <= c || b + c <= a || a + c <= b) puts("flat");
  else if (a == b && b == c) puts("equilateral");
  else if (a == b || b == c || a == c) puts("isosceles");
  else puts("scalene");
  return 0;
}
"""
MAGIC = r"""
#include <stdio.h>
#include <string.h>
int main(int n, char **v) {
  char in[8] = {0};
  fread(in, 1, 7, stdin);
  if (!strcmp(v[1], "-key") && !memcmp(in, "\x7f" "ELF", 4) && in[4] + in[5] == 200) return 42;
  return 0;
}
"""
CONTRADICTION = """
#include <stdio.h>
int main(int n, char **v) {
  unsigned char c = v[1][0];
  if (c > 100) { puts("big"); if (c < 50) { puts("small"); return 3; } return 2; }
  return 1;
}
"""
TABLE = """
#include <ctype.h>
static const char kinds[256] = {['a'] = 1, ['b'] = 1, ['z'] = 2};
int main(int n, char **v) { return kinds[(unsigned char)v[1][0]]; }
"""
ENDLESS = "int main(int n, char **v) { volatile int i = 0; while (v[1][0] == 'x') i++; return 0; }"
DIVIDES = "int main(int n, char **v) { return 100 / (v[1][0] - 'k'); }"
HARD = """
int main(int n, char **v) {
  unsigned *p = (unsigned *)v[1];
  if (*p * *p * 7 == 0x1234567u * p[1]) __builtin_trap();
  return 0;
}
"""
FORKS = "#include <unistd.h>\nint main(int n, char **v) { return fork() < 0 ? v[1][0] == 'f' : 9; }"
THREADS = """
#include <pthread.h>
static void *other(void *given) { return given; }
int main(int n, char **v) {
  pthread_t thread;
  return pthread_create(&thread, 0, other, v) ? v[1][0] == 't' : 9;
}
"""
READS = """
#include <fcntl.h>
#include <unistd.h>
#include <sys/mman.h>
int main(int n, char **v) {
  int fd = open("data.bin", O_RDONLY), other = open("/etc/passwd", O_RDONLY);
  if (fd < 0 || other >= 0) return 9;
  char *p = mmap(0, 4, PROT_READ, MAP_PRIVATE, fd, 0);
  return p[1] == 'Q' ? 5 : 6;
}
"""


def statuses(results) -> set[int]:
    return {result.value[0] for result in results if result.status == "done"}


def test_every_outcome_is_found(executor) -> None:
    results = explore(executor(TRIANGLE, (3,)))
    said = {result.value[1] for result in results if result.status == "done"}
    assert said == {b"none\n", b"flat\n", b"equilateral\n", b"isosceles\n", b"scalene\n"}
    assert not [result for result in results if result.status == "diverged"]


def test_arguments_and_standard_input_are_symbolic_together(executor) -> None:
    assert 42 in statuses(explore(executor(MAGIC, (4,), stdin=7)))


def test_the_same_again(executor) -> None:
    def story():
        made = executor(TRIANGLE, (3,), seed=3)
        return [(result.status, user_path(result), result.value) for result in explore(made, False)]

    assert story() == story()


def test_infeasible_sides_are_told(executor) -> None:
    made, policy = executor(CONTRADICTION, (1,)), Always(True)
    result = made.advance(made.initial(), policy, max_branches=100)
    assert result.value[0] in (1, 2)
    assert statuses(explore(made)) == {1, 2}
    assert all(branch.other == "unsat" for branch in result.branches if branch.kind == "implied")


def test_siblings_are_left_unchecked_and_can_be_solved(executor) -> None:
    made = executor(CONTRADICTION, (1,))
    result = made.advance(made.initial(), made.follow((b"a", b"")), max_branches=100)
    assert result.value[0] == 1
    assert {state.feasibility for state in result.pending} == {"unchecked"}
    (state,) = result.pending
    assert made.check(state) == "sat"
    assert made.solve(state)[0][0] > 100
    assert made.advance(state, Always(), max_branches=100).value[0] == 2
    made.release([state.id])


def test_too_many_branches_and_instructions_are_cut(executor) -> None:
    made = executor(ENDLESS, (1,), instructions=50_000)
    endless = made.advance(made.initial(), made.follow((b"x", b"")), max_branches=100)
    assert (endless.status, endless.value) == ("limit", None)
    assert "instructions" in endless.reason or "branches" in endless.reason
    assert made.advance(made.initial(), made.follow((b"y", b"")), max_branches=100).status == "done"


def test_the_deadline_holds(executor) -> None:
    made = executor(TRIANGLE, (3,))
    late = made.advance(made.initial(), Always(), max_branches=100, deadline=time.monotonic() - 1)
    assert late.status == "limit"
    assert made.solve(made.initial(), deadline=time.monotonic() - 1) is None


def test_a_table_splits_paths_by_what_is_in_it(executor) -> None:
    results = explore(executor(TABLE, (1,)))
    assert statuses(results) == {0, 1, 2}
    assert len([result for result in results if result.status == "done"]) < 12


def test_a_division_by_zero_is_found(executor) -> None:
    import signal

    assert -signal.SIGFPE in statuses(explore(executor(DIVIDES, (1,))))


def test_keys_and_atoms_have_the_same_names_on_every_path(executor) -> None:
    made = executor(CONTRADICTION, (1,))
    first = made.advance(made.initial(), made.follow((b"a", b"")), max_branches=100)
    again = made.advance(made.initial(), made.follow((b"b", b"")), max_branches=100)
    assert [b.condition.key for b in first.branches] == [b.condition.key for b in again.branches]
    assert first.branches[0].condition.atom(True).startswith("arg1[0] ")
    assert first.branches[0].location.unit == "main"


def test_an_unknown_solver_is_no_proof(executor) -> None:
    made = executor(HARD, (8,), rlimit=1)
    result = made.advance(made.initial(), made.follow((b"abcdefg", b"")), max_branches=100)
    states = [state for state in result.pending if made.check(state) == "unknown"]
    assert states
    for state in states:
        assert made.advance(state, Always(), max_branches=100).status == "unknown"


def test_system_calls_that_are_not_there_are_counted(executor) -> None:
    made = executor(FORKS, (1,))
    assert statuses(explore(made)) == {0, 1}
    assert set(made.machine.system.unknown) & {"fork", "clone"}


def test_a_thread_cannot_be_started_and_that_is_counted(executor) -> None:
    made = executor(THREADS, (1,))
    assert statuses(explore(made)) == {0, 1}
    assert "clone" in made.machine.system.unknown


def test_files_are_in_memory_and_symbolic(executor) -> None:
    assert statuses(explore(executor(READS, files=(("data.bin", 4),)))) == {5, 6}


def test_an_input_that_is_never_looked_at(executor) -> None:
    with pytest.raises(UntrodError, match="without looking at its input"):
        executor("int main(void) { return 0; }", (3,))


def test_inputs_of_another_shape_are_refused(executor) -> None:
    made = executor(TRIANGLE, (3,))
    for wrong in ((), (b"abcd", b""), (b"abc",), ("abc", b""), (b"abc", b"x")):
        with pytest.raises(ValueError, match="input"):
            made.follow(wrong)


@pytest.mark.parametrize("sizes", [((), 0), ((5000,), 0)])
def test_nothing_symbolic_and_too_much_of_it(sizes) -> None:
    with pytest.raises(UntrodError, match="symbolic bytes"):
        Fields(*sizes)
