/* SPDX-License-Identifier: MIT
 *
 * Preloaded, it lets the steady clock run as much slower as valgrind makes a program. A worker then gathers as many
 * items for each message and each commit as it does without valgrind.
 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
  const long long slowness = 10, second = 1000000000;
  const long result = syscall(SYS_clock_gettime, clock, time);
  if (result != 0 || clock != CLOCK_MONOTONIC)
    return (int)result;
  const long long slow = (time->tv_sec * second + time->tv_nsec) / slowness;
  time->tv_sec = slow / second;
  time->tv_nsec = slow % second;
  return 0;
}
