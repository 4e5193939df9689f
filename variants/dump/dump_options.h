// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace dovetail {

// Which builds leave a file (compile_dumps.h).
struct DumpOptions {
  std::string folder;          // made if missing, with its parents; empty: nothing is dumped
  double slowMilliseconds = 0; // wall time from which a successful build is dumped; 0: only failures are
  uint32_t maxFiles = 100;     // for each device
};

} // namespace dovetail
