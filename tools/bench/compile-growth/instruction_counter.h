// SPDX-License-Identifier: MIT
//
// How many instructions a process executes: unlike time, the same again and again, whatever else the machine does.
#pragma once

#include <cstdint>

namespace dovetail {

// Counts from its construction on, in the calling thread and all that it starts afterwards, without the kernel's.
class InstructionCounter {
public:
  InstructionCounter();
  ~InstructionCounter();
  InstructionCounter(const InstructionCounter &) = delete;
  InstructionCounter &operator=(const InstructionCounter &) = delete;

  // 0 if the system does not let processes count (perf_event_open(2)).
  uint64_t read() const;

private:
  int m_file = -1;
};

} // namespace dovetail
