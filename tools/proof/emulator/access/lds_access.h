// SPDX-License-Identifier: MIT
//
// LDS: what DS instructions reach of the memory that a workgroup's waves share.
//
// The hardware gives 0 for reads outside of the group's allocation and drops writes; no compiler means that, so here it
// traps. GFX8 limits addresses by M0, which must have been written; GFX9 has no limit but the allocation. Reads and
// writes may have any alignment (SH_MEM_CONFIG.ALIGNMENT_MODE unaligned); atomics must be aligned. Sources: "Vega" ISA
// manual, section 10.3.3; that GFX9 does not look at M0, although the manual says so: README-ISA.md of Mesa's ACO, and
// LLVM's ldsRequiresM0Init.
// What is believed here: docs/hardware-facts.md.
#pragma once

#include "tools/proof/emulator/wave/wave.h"

namespace dovetail::emulator {

class LdsAccess {
public:
  // Instructions have an address register or, if not, an offset in M0[15:0] and a dword for each lane, or one for all.
  enum class Address : uint8_t { Register, M0PlusLane, M0 };
  LdsAccess(Wave &wave, const Instruction &instruction, Address kind = Address::Register);

  // `size` bytes at the lane's address plus an offset. nullptr: trapped.
  uint8_t *at(unsigned lane, uint32_t offset, unsigned size);
  uint8_t *atAligned(unsigned lane, uint32_t offset, unsigned size);

private:
  Wave &m_wave;
  uint32_t m_limit = 0xffffffff;
  Lanes m_addresses;
};

} // namespace dovetail::emulator
