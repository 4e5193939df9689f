// SPDX-License-Identifier: MIT
//
// RADV's null hardware lacks functions that recording commands calls: those that reset and enlarge command buffers and
// list the memory that they need. None of them matters here, so a call through a null pointer is made to return.
#pragma once

#include <csignal>

namespace dovetail {

#ifdef __x86_64__
constexpr bool NullCallsCanReturn = true;
#else
constexpr bool NullCallsCanReturn = false;
#endif

// For as long as it lives. The first call of a function that is missing takes a signal; it leaves one that does nothing
// in the table that the caller looked into, so that later ones cost what a call costs, and may be timed.
class NullCallsReturn {
public:
  NullCallsReturn();
  NullCallsReturn(const NullCallsReturn &) = delete;
  ~NullCallsReturn();

private:
  struct sigaction m_before;
};

} // namespace dovetail
