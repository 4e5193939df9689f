// SPDX-License-Identifier: MIT
#pragma once

namespace lgc {

// Registers that the allocator had no room for: each one that is stored somewhere else counts.
struct SpillCounts {
  unsigned sgprs = 0; // in lanes of VGPRs, or in scratch memory
  unsigned vgprs = 0; // in scratch memory
};

} // namespace lgc
