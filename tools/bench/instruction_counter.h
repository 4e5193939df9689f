// SPDX-License-Identifier: MIT
//
// Counts the instructions that a process executes. Unlike time, the count is the same in every run, whatever else the
// machine does.
#pragma once

#include <cstdint>

namespace dovetail {

// Counts from its construction on, in the calling thread and all threads and processes that it starts afterwards. The
// kernel's instructions do not count.
class InstructionCounter {
public:
  InstructionCounter();
  ~InstructionCounter();
  InstructionCounter(const InstructionCounter &) = delete;
  InstructionCounter &operator=(const InstructionCounter &) = delete;

  // The count; 0 if the system does not let processes count (perf_event_open(2)).
  uint64_t read() const;

private:
  int m_file = -1;
};

} // namespace dovetail
