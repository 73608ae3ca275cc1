/* For AFL++, which knows files alone: what it writes to standard input becomes arguments and standard input.
   SIZES is a list like 6,6; what follows these bytes is the program's standard input. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int __real_main(int count, char **arguments, char **environment);

int __wrap_main(int count, char **arguments, char **environment) {
  static const int sizes[] = {SIZES -1};
  static char input[8192], texts[16][512];
  static char *given[20] = {"program"};
  int size = 0, more, at = 0, next = 1, pipes[2];
  while ((more = read(0, input + size, sizeof input - size)) > 0) size += more;
  for (int i = 0; sizes[i] >= 0; i++) {
    int length = sizes[i] < size - at ? sizes[i] : size - at;
    memcpy(texts[i], input + at, length);
    given[next++] = texts[i];
    at += length;
  }
  if (pipe(pipes)) return 99;
  if (write(pipes[1], input + at, size - at) < 0) return 99;
  close(pipes[1]);
  dup2(pipes[0], 0);
  return __real_main(next, given, environment);
}
