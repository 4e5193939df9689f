// SPDX-License-Identifier: MIT
//
// Tools for measurements on both sides: clocks, the heap, the CPU on which a thread runs.
#pragma once

#include <cstdint>
#include <optional>
#include <sched.h>

namespace dovetail {

double wallMicroseconds();
double processCpuMicroseconds();
// Bytes that the process holds from malloc.
double heapBytes();

bool mayRunOn(unsigned cpu);

// As long as it lives, keeps the calling thread, and threads that it starts, on one CPU.
class PinnedCpu {
public:
  // nullopt: the current CPU. If the system refuses, nothing happens.
  explicit PinnedCpu(std::optional<unsigned> cpu = std::nullopt);
  PinnedCpu(const PinnedCpu &) = delete;
  ~PinnedCpu();

private:
  cpu_set_t m_before;
};

// As long as it lives, lets the calling thread, and threads that it starts, run on any CPU.
class AnyCpu {
public:
  AnyCpu();
  AnyCpu(const AnyCpu &) = delete;
  ~AnyCpu();

private:
  cpu_set_t m_before;
};

} // namespace dovetail
