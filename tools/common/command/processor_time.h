// SPDX-License-Identifier: MIT
//
// Processor time of processes. Other load on the machine changes it less than time on the clock.
#pragma once

#include <chrono>
#include <ctime>
#include <sys/resource.h>

namespace dovetail {

// User and system together, which the system measures more finely than either of them. By default of this process.
inline std::chrono::nanoseconds processorTime(clockid_t clock = CLOCK_PROCESS_CPUTIME_ID) {
  timespec time = {};
  clock_gettime(clock, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

inline std::chrono::nanoseconds toNanoseconds(const timeval &time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

// Of this process, without the system.
inline std::chrono::nanoseconds userTime() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return toNanoseconds(usage.ru_utime);
}

// Of the children that have ended and were waited for, and of theirs.
inline std::chrono::nanoseconds systemTimeOfChildren() {
  rusage usage = {};
  getrusage(RUSAGE_CHILDREN, &usage);
  return toNanoseconds(usage.ru_stime);
}

inline std::chrono::nanoseconds processorTimeOfChildren() {
  rusage usage = {};
  getrusage(RUSAGE_CHILDREN, &usage);
  return toNanoseconds(usage.ru_utime) + toNanoseconds(usage.ru_stime);
}

inline double toSeconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

} // namespace dovetail
