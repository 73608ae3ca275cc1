/* Linked into the variant that counts branches: a crash must not lose the counts. */
#include <signal.h>
#include <stdlib.h>

extern void __gcov_dump(void);
static char stack[1 << 16];

static void dump(int number) {
  signal(number, SIG_DFL);
  __gcov_dump();
  raise(number);
}

__attribute__((constructor)) static void watch_crashes(void) {
  static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
  stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_handler = dump, .sa_flags = SA_ONSTACK | SA_NODEFER};
  sigaltstack(&other, 0);
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) sigaction(numbers[i], &action, 0);
}
