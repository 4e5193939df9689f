// SPDX-License-Identifier: MIT
#include "tools/bench/instruction_counter.h"
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace dovetail {

InstructionCounter::InstructionCounter() {
  perf_event_attr attributes{};
  attributes.size = sizeof(attributes);
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  attributes.inherit = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  constexpr pid_t ThisThread = 0;
  constexpr int AnyProcessor = -1, NoGroup = -1;
  m_file = static_cast<int>(
      ::syscall(SYS_perf_event_open, &attributes, ThisThread, AnyProcessor, NoGroup, PERF_FLAG_FD_CLOEXEC));
}

InstructionCounter::~InstructionCounter() {
  if (m_file >= 0)
    ::close(m_file);
}

uint64_t InstructionCounter::read() const {
  uint64_t count = 0;
  return m_file >= 0 && ::read(m_file, &count, sizeof(count)) == sizeof(count) ? count : 0;
}

} // namespace dovetail
