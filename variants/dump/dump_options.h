// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace dovetail {

// Which builds leave a file (compile_dumps.h).
struct DumpOptions {
  std::string folder;          // made if missing, with its parents; empty: nothing is dumped
  double slowMilliseconds = 0; // wall time beyond which a build is dumped that was good; 0: only what fails
  uint32_t maxFiles = 100;     // of a device
};

} // namespace dovetail
