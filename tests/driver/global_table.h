// SPDX-License-Identifier: MIT
//
// The driver's global table: V#s that shaders find at fixed places behind the pointer in their first SGPR. Entries 0
// and 1 are LLVM's (AMDPAL's scratch rings), entry 12 is src/lgc's.
#pragma once

#include "tests/emulator/run.h"
#include <cstdint>

namespace dovetail {

struct GlobalTableNeeds {
  uint64_t graphicsScratchBytes = 0; // of all waves that run at once
  uint64_t computeScratchBytes = 0;
  uint32_t samples = 1;
};

// Returns the pointer.
uint32_t makeGlobalTable(emulator::Gpu &gpu, const GlobalTableNeeds &needs);

} // namespace dovetail
