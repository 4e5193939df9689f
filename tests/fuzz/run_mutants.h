// SPDX-License-Identifier: MIT
//
// Works on mutants in a child process. When a mutant crashes it or hangs, a new child begins behind that mutant. So one
// bad mutant is counted, named and stepped over. Parent and children share the memory of the counters.
#pragma once

#include <cstdint>
#include <functional>
#include <new>
#include <sys/mman.h>

namespace dovetail::fuzz {

// Lives as long as the process. nullptr: no memory.
template <typename Counters> Counters *makeShared() {
  void *memory = mmap(nullptr, sizeof(Counters), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : new (memory) Counters;
}

struct Mishaps {
  uint64_t crashes = 0, hangs = 0;
};

// Each child calls `begin`, which returns the function that works on one mutant. A mutant hangs if it takes longer than
// `secondsPerMutant`. Mishaps are named on the standard error.
using Work = std::function<void(uint64_t mutant)>;
Mishaps runMutants(uint64_t first, uint64_t count, unsigned secondsPerMutant, const std::function<Work()> &begin);

} // namespace dovetail::fuzz
