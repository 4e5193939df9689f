// SPDX-License-Identifier: MIT
//
// RADV's null hardware lacks functions that recording commands calls: they reset and enlarge command buffers, and list
// the memory that these need. None of them matters here, so a call through a null pointer returns.
#pragma once

#include <csignal>

namespace dovetail {

#ifdef __x86_64__
constexpr bool NullCallsCanReturn = true;
#else
constexpr bool NullCallsCanReturn = false;
#endif

// Handles these calls as long as it lives. The first call of a missing function takes a signal. The handler puts a
// function that does nothing into the caller's table. So later calls cost what a call costs, and may be timed.
class NullCallsReturn {
public:
  NullCallsReturn();
  NullCallsReturn(const NullCallsReturn &) = delete;
  ~NullCallsReturn();

private:
  struct sigaction m_before;
};

} // namespace dovetail
