// SPDX-License-Identifier: MIT
//
// Works on mutants in a child process, which is begun again behind a mutant that it crashes or hangs at. So one bad
// mutant is counted, named and stepped over, and what was counted by others is kept in memory that both share.
#pragma once

#include <cstdint>
#include <functional>
#include <new>
#include <sys/mman.h>

namespace dovetail::fuzz {

// Lives as long as the process. nullptr: there is no memory.
template <typename Counters> Counters *makeShared() {
  void *memory = mmap(nullptr, sizeof(Counters), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : new (memory) Counters;
}

struct Mishaps {
  uint64_t crashes = 0, hangs = 0;
};

// `begin` is called in each child and gives what works on one mutant. One that takes longer than so many seconds hangs.
// Mishaps are named on the standard error.
using Work = std::function<void(uint64_t mutant)>;
Mishaps runMutants(uint64_t first, uint64_t count, unsigned secondsPerMutant, const std::function<Work()> &begin);

} // namespace dovetail::fuzz
