// SPDX-License-Identifier: MIT
#include "tests/fuzz/run_mutants.h"
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dovetail::fuzz {

Mishaps runMutants(uint64_t first, uint64_t count, unsigned secondsPerMutant, const std::function<Work()> &begin) {
  Mishaps mishaps;
  auto *next = makeShared<uint64_t>();
  if (!next)
    return {1, 0};
  *next = first;
  while (*next < first + count) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0)
      return {mishaps.crashes + 1, mishaps.hangs};
    if (child == 0) {
      {
        const Work work = begin();
        for (; *next < first + count; ++*next) {
          alarm(secondsPerMutant);
          work(*next);
          alarm(0);
        }
      }
      std::fflush(nullptr);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
      continue;
    const bool isHang = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
    ++(isHang ? mishaps.hangs : mishaps.crashes);
    fmt::print(stderr, "mutant {}: {}\n", *next, isHang ? "hangs" : "crashes");
    ++*next;
  }
  return mishaps;
}

} // namespace dovetail::fuzz
