/* limits USER MICROSECONDS PROCESSES MEMORY PROGRAM ARGUMENT...: becomes PROGRAM, in a session of its own, as
 * USER unless that is 0, with these limits; 0 is none. Setting them here, and not in Python between fork and
 * exec, lets the launcher start us without copying itself: a run costs a third. */
#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

static void limit(int which, rlim_t soft, rlim_t hard) {
  struct rlimit now;
  getrlimit(which, &now);
  if (hard > now.rlim_max) hard = now.rlim_max;
  now.rlim_cur = soft < hard ? soft : hard;
  now.rlim_max = hard;
  setrlimit(which, &now);
}

int main(int count, char **words) {
  if (count < 7) return 2;
  unsigned user = strtoul(words[1], 0, 10);
  long long time = strtoll(words[2], 0, 10), seconds = (time + 999999) / 1000000;
  rlim_t processes = strtoull(words[3], 0, 10), memory = strtoull(words[4], 0, 10);
  setsid();
  if (user && (setgroups(0, 0) || setgid(user) || setuid(user))) goto failed;
  /* CPU time by a timer, which can count fractions, with a limit behind it; of processes the kernel counts all
   * that the user has. */
  struct itimerval timer = {.it_value = {time / 1000000, time % 1000000}};
  setitimer(ITIMER_PROF, &timer, 0);
  limit(RLIMIT_CPU, seconds + 1, seconds + 2);
  limit(RLIMIT_NPROC, processes, processes);
  if (memory) limit(RLIMIT_AS, memory, RLIM_INFINITY);
  execv(words[5], words + 6);
failed:
  fprintf(stderr, "limits: %s", strerror(errno));
  return 125;
}
