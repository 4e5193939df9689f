// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/measure/measure.h"
#include "tools/common/command/processor_time.h"
#include <malloc.h>

namespace dovetail {

double wallMicroseconds() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double processCpuMicroseconds() {
  return toSeconds(processorTime()) * 1e6;
}

double heapBytes() {
  const struct mallinfo2 info = mallinfo2();
  return double(info.uordblks) + double(info.hblkhd);
}

bool mayRunOn(unsigned cpu) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  sched_getaffinity(0, sizeof(allowed), &allowed);
  return cpu < CPU_SETSIZE && CPU_ISSET(cpu, &allowed);
}

PinnedCpu::PinnedCpu(std::optional<unsigned> cpu) {
  sched_getaffinity(0, sizeof(m_before), &m_before);
  const int current = sched_getcpu();
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu.value_or(current < 0 ? 0u : unsigned(current)), &one);
  sched_setaffinity(0, sizeof(one), &one);
}

PinnedCpu::~PinnedCpu() {
  sched_setaffinity(0, sizeof(m_before), &m_before);
}

AnyCpu::AnyCpu() {
  sched_getaffinity(0, sizeof(m_before), &m_before);
  cpu_set_t all;
  CPU_ZERO(&all);
  for (size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    CPU_SET(cpu, &all);
  sched_setaffinity(0, sizeof(all), &all); // the system ignores CPUs that do not exist
}

AnyCpu::~AnyCpu() {
  sched_setaffinity(0, sizeof(m_before), &m_before);
}

} // namespace dovetail
