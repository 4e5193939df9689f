// SPDX-License-Identifier: MIT
//
// What is measured with, on both sides: clocks, the heap, the CPU that a thread runs on.
#pragma once

#include <cstdint>
#include <optional>
#include <sched.h>

namespace dovetail {

double wallMicroseconds();
double processCpuMicroseconds();
// That the process holds of malloc.
double heapBytes();

bool mayRunOn(unsigned cpu);

// Keeps the calling thread, and those that it starts, on one CPU for as long as it lives.
class PinnedCpu {
public:
  // nullopt: on the one that it is running on. Where the system refuses, nothing happens.
  explicit PinnedCpu(std::optional<unsigned> cpu = std::nullopt);
  PinnedCpu(const PinnedCpu &) = delete;
  ~PinnedCpu();

private:
  cpu_set_t m_before;
};

// Lets the calling thread, and those that it starts, run on any CPU for as long as it lives.
class AnyCpu {
public:
  AnyCpu();
  AnyCpu(const AnyCpu &) = delete;
  ~AnyCpu();

private:
  cpu_set_t m_before;
};

} // namespace dovetail
