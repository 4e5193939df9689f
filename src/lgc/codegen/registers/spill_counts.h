// SPDX-License-Identifier: MIT
#pragma once

namespace lgc {

// Registers for which the allocator had no room; each register that is stored elsewhere counts.
struct SpillCounts {
  unsigned sgprs = 0; // in lanes of VGPRs, or in scratch memory
  unsigned vgprs = 0; // in scratch memory
};

} // namespace lgc
